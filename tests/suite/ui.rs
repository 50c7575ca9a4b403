//! What the macros refuse, with the words that they say, and what they must not refuse.

#[test]
fn refusals_and_passes() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*.rs");
    cases.pass("ui/pass/*.rs");
}
