use super::*;

#[test]
fn a_table_is_aligned_in_both_forms() {
    let mut table = ReportTable::new(["arm", "n"]);
    table.rows.push(vec!["vote".to_owned(), "120".to_owned()]);
    assert_eq!(table.render(TableForm::Text), "arm     n\nvote  120\n");
    let wanted = "| arm  |   n |\n| ---- | --: |\n| vote | 120 |\n";
    assert_eq!(table.render(TableForm::Markdown), wanted);
}

#[test]
fn the_power_is_told_in_words() {
    let lines = power_lines(&crate::stats::power::power(234, 0.3));
    assert_eq!(
        lines,
        [
            "234 questions show a difference of 10.0 points in four of five trials, if two arms \
             differ on 30% of the questions.",
            "Needed: 940 for 5 points, 234 for 10 points, 103 for 15 points, 57 for 20 points."
        ]
    );
}
