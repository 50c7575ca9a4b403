//! What the README shows is what is built.

#[test]
fn the_program_for_a_board_is_the_one_that_is_built() {
    let shown = format!("```rs\n{}```\n", include_str!("../firmware/board-example/src/main.rs"));
    assert!(include_str!("../../README.md").contains(&shown), "copy tests/firmware/board-example/src/main.rs there");
}
