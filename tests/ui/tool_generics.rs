struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// A type.
    #[tool]
    fn generic<T>(&mut self, level: T) {
        let _ = level;
    }

    /// A constant.
    #[tool]
    fn constant<const N: usize>(&mut self) {}

    /// A lifetime.
    #[tool]
    fn lifetime<'a>(&'a mut self, name: &'a str) {
        let _ = name;
    }

    /// An opaque type.
    #[tool]
    fn opaque(&mut self, level: impl Into<u32>) {
        let _ = level.into();
    }

    /// An opaque type inside another.
    #[tool]
    fn inner(&mut self, level: Option<impl Into<u32>>) {
        let _ = level.map(Into::into);
    }
}

fn main() {}
