//! What of JSON Schema is needed to read the parameters of a tool.
//!
//! Keywords that are not known here allow everything: a server refuses what it must.

use std::fmt;

use serde_json::Value;

/// How many references in a row are followed, so that circles end.
const DEPTH: usize = 16;

/// A schema without a choice: references and unions are behind us.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schema<'s> {
    /// The whole schema, in which references are looked up.
    root: &'s Value,
    schema: &'s Value,
}

/// A type of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl Type {
    const ALL: [(&'static str, Self); 7] = [
        ("null", Self::Null),
        ("boolean", Self::Boolean),
        ("integer", Self::Integer),
        ("number", Self::Number),
        ("string", Self::String),
        ("array", Self::Array),
        ("object", Self::Object),
    ];

    fn new(name: &Value) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| name == known).map(|(_, kind)| *kind)
    }

    /// Its name in JSON Schema.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Whether a value is of this type. `3.0` is an integer.
    pub(crate) fn has(self, value: &Value) -> bool {
        match self {
            Self::Null => value.is_null(),
            Self::Boolean => value.is_boolean(),
            Self::Integer => {
                value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|float| float.fract() == 0.0)
            }
            Self::Number => value.is_number(),
            Self::String => value.is_string(),
            Self::Array => value.is_array(),
            Self::Object => value.is_object(),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "true or false",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "a JSON array",
            Self::Object => "a JSON object",
        })
    }
}

impl<'s> Schema<'s> {
    /// A schema that refers to nothing but itself.
    pub(crate) fn new(schema: &'s Value) -> Self {
        Self { root: schema, schema }
    }

    /// The schema of a tool's arguments. A tool without one takes anything.
    pub(crate) fn of_tool(tool: &'s Value) -> Self {
        Self::new(tool.get("inputSchema").unwrap_or(&Value::Null))
    }

    fn at(self, schema: &'s Value) -> Self {
        Self { schema, ..self }
    }

    fn get(self, keyword: &str) -> Option<&'s Value> {
        self.schema.get(keyword)
    }

    /// The schemas of which one must fit: itself, or what it refers to or unites.
    pub(crate) fn choices(self) -> Vec<Self> {
        let mut choices = Vec::new();
        self.collect_choices(&mut choices, DEPTH);
        choices
    }

    fn collect_choices(self, choices: &mut Vec<Self>, depth: usize) {
        let referred = || self.root.pointer(self.get("$ref")?.as_str()?.strip_prefix('#')?);
        let united = || self.get("anyOf").or_else(|| self.get("oneOf"))?.as_array();
        let Some(depth) = depth.checked_sub(1) else { return };
        if let Some(schema) = referred() {
            self.at(schema).collect_choices(choices, depth);
        } else if let Some(schemas) = united() {
            schemas.iter().for_each(|schema| self.at(schema).collect_choices(choices, depth));
        } else {
            choices.push(self);
        }
    }

    /// Its types; none if it does not say.
    pub(crate) fn types(self) -> Vec<Type> {
        match self.get("type") {
            Some(Value::Array(names)) => names.iter().filter_map(Type::new).collect(),
            Some(name) => Type::new(name).into_iter().collect(),
            None if self.get("properties").is_some() => vec![Type::Object],
            None => Vec::new(),
        }
    }

    /// The only values that it allows, if it lists them.
    pub(crate) fn values(self) -> Option<&'s [Value]> {
        self.get("enum")
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .or_else(|| self.get("const").map(std::slice::from_ref))
    }

    /// The names and the schemas of an object's members.
    pub(crate) fn properties(self) -> impl Iterator<Item = (&'s str, Self)> {
        let properties = self.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().map(move |(name, schema)| (name.as_str(), self.at(schema)))
    }

    /// The schema of a member.
    pub(crate) fn property(self, name: &str) -> Option<Self> {
        self.get("properties")?.get(name).map(|schema| self.at(schema))
    }

    /// The schema of members without one of their own; `None` if there must be none, or if it does not say.
    pub(crate) fn extra(self) -> Option<Self> {
        match self.get("additionalProperties") {
            None | Some(Value::Bool(false)) => None,
            Some(schema) => Some(self.at(schema)),
        }
    }

    /// Whether an object may have only the members that are listed.
    pub(crate) fn is_closed(self) -> bool {
        self.get("additionalProperties") == Some(&Value::Bool(false)) && self.get("patternProperties").is_none()
    }

    /// Whether an object must have a member.
    pub(crate) fn requires(self, name: &str) -> bool {
        self.required().any(|required| required == name)
    }

    /// The members that an object must have.
    pub(crate) fn required(self) -> impl Iterator<Item = &'s str> {
        self.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// The schema of an array's elements.
    pub(crate) fn items(self) -> Option<Self> {
        self.get("items").map(|schema| self.at(schema))
    }

    pub(crate) fn default(self) -> Option<&'s Value> {
        self.get("default")
    }

    pub(crate) fn title(self) -> Option<&'s str> {
        self.get("title")?.as_str()
    }

    pub(crate) fn description(self) -> Option<&'s str> {
        self.get("description")?.as_str()
    }

    /// A limit, such as `maximum` or `maxLength`.
    pub(crate) fn limit(self, keyword: &str) -> Option<&'s serde_json::Number> {
        self.get(keyword)?.as_number()
    }
}

/// What it allows, in short: `integer 0..100`, `low|medium|high`, `string or null`.
impl fmt::Display for Schema<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let choices = self.choices();
        for (at, choice) in choices.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { " or " })?;
            choice.write_short(f)?;
        }
        f.write_str(if choices.is_empty() { "any" } else { "" })
    }
}

impl Schema<'_> {
    fn write_short(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(values) = self.values() {
            return f.write_str(&values.iter().map(plain).collect::<Vec<_>>().join("|"));
        }
        let names: Vec<_> = self.types().into_iter().map(Type::name).collect();
        f.write_str(if names.is_empty() { "any" } else { "" })?;
        f.write_str(&names.join(" or "))?;
        if let (Some(items), ["array"]) = (self.items(), names.as_slice()) {
            write!(f, " of {items}")?;
        }
        match (self.limit("minimum"), self.limit("maximum")) {
            (None, None) => Ok(()),
            (Some(minimum), Some(maximum)) => write!(f, " {minimum}..{maximum}"),
            (Some(minimum), None) => write!(f, " >= {minimum}"),
            (None, Some(maximum)) => write!(f, " <= {maximum}"),
        }
    }
}

/// A value as one writes it on the command line: strings without quotes.
pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
