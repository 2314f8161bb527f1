use super::*;

fn seating(transport: &str) -> Seating {
    let seating = serde_json::json!({
        "tool": transport,
        "transport": transport,
        "vendor": "",
        "model": null,
        "effort": "low",
        "version": null,
    });
    serde_json::from_value(seating).unwrap()
}

#[test]
fn a_person_in_any_seat_is_refused() {
    let seats = |judge: &str| {
        BTreeMap::from([
            (Seat::Proposer, seating("cli")),
            (Seat::JUDGE, seating(judge)),
        ])
    };
    assert_eq!(refuse_people(&seats("http")), Ok(()));
    let failure = refuse_people(&seats("human")).unwrap_err();
    assert_eq!(failure.message, "a person cannot be the judge in a batch");
}
