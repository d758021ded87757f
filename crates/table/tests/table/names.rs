//! Rules for players' names, and names that are older than the rules.

use war::engine::Seat;
use war::i18n::{Catalogue, Lang, Text};
use war::journal::{CommittedGame, Verdict};
use war::recording::write_token_journal;
use war::replay::verify;
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Move, Name, Secret, TokenEvent, TokenGame, TokenRules};
use war_table::protocol::schema::PROTOCOL_SCHEMA;
use war_table::protocol::{NameError, Request, RequestError, house_name};
use war_table::room::RoomEvent;

/// Error for a name; `None` if the name is allowed.
#[track_caller]
fn name_error(name: &str) -> Option<NameError> {
    let token = "0".repeat(64);
    let hello = serde_json::json!({
        "type": "hello", "id": "a", "name": name, "token": token, "protocol": 2
    });
    match Request::parse(&hello.to_string()) {
        Ok(Request::Hello { name: found, .. }) => {
            assert_eq!(found.as_str(), name, "a name is found as it is");
            None
        }
        Ok(other) => panic!("{other:?}"),
        Err(bad) => match bad.reason {
            RequestError::Name(error) => Some(error),
            other => panic!("{name:?}: {other:?}"),
        },
    }
}

#[test]
fn names_of_people_are_accepted() {
    for name in [
        "Ann",
        "O'Hara-Smith, Jr.",
        "Zażółć gęślą jaźń",
        "李小龍",
        "สมชาย",
        "नरेंद्र",
        "محمد",
        "Ὀδυσσεύς",
        "Đặng Thị",
        "한국어",
        "7",
        "x",
        "\u{661}\u{662}",
        "♠ Ann ♠",
        "Ann ❤\u{fe0f}",
        "Ann\u{a0}B.",
        // A composed character that NFC keeps, and a letter with a mark that has no composed form.
        "Å",
        "x\u{301}",
        "Playerhouse 1",
        "House of Cards",
        "House 1 of 2",
        "Greenhouse 7",
        "Mouse 1",
        "Hoose 1",
        "Housemate",
        "Home 1",
        // 32 characters of four bytes each.
        "𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞𝔞",
    ] {
        assert_eq!(name_error(name), None, "{name:?}");
    }
}

#[test]
fn unreadable_names_are_refused() {
    for (name, error) in [
        ("", NameError::Length),
        (" ", NameError::Length),
        (" Ann", NameError::Length),
        ("Ann\u{3000}", NameError::Length),
        ("123456789012345678901234567890123", NameError::Length),
        ("An\u{200b}n", NameError::Unseen),
        ("An\u{202e}n", NameError::Unseen),
        ("An\u{7}n", NameError::Unseen),
        ("An\u{ad}n", NameError::Unseen),
        ("An\u{e000}n", NameError::Unseen),
        ("\u{fe0f}", NameError::Unseen),
        // Three of the 66 permanent noncharacters, and two unassigned code points.
        ("\u{fdd0}", NameError::Unseen),
        ("Ann\u{fdef}", NameError::Unseen),
        ("Ann\u{1fffe}", NameError::Unseen),
        ("Ann\u{378}", NameError::Unseen),
        ("Ann\u{e01f0}", NameError::Unseen),
        ("Zoe\u{308}", NameError::NotNfc),
        ("\u{212b}", NameError::NotNfc),
        ("a\u{323}\u{307}\u{302}", NameError::NotNfc),
        ("\u{301}", NameError::NoLetter),
        ("\u{301}\u{302}", NameError::NoLetter),
        // Marks that Unicode counts as alphabetic.
        ("\u{345}", NameError::NoLetter),
        ("\u{93e}\u{93f}", NameError::NoLetter),
        // Marks over what is before the name, or over a space.
        ("\u{301}Ann", NameError::LeadingMark),
        ("\u{20dd}Ann", NameError::LeadingMark),
        ("\u{93e}Ann", NameError::LeadingMark),
        ("Ann \u{308}Bo", NameError::LeadingMark),
        ("Ann\u{a0}\u{301}", NameError::LeadingMark),
        ("♠♥", NameError::NoLetter),
        ("❤\u{fe0f}", NameError::NoLetter),
        ("...", NameError::NoLetter),
    ] {
        assert_eq!(name_error(name), Some(error), "{name:?}");
    }
}

#[test]
fn names_of_the_house_and_lookalikes_are_refused() {
    for name in [
        "House 1",
        "House 12",
        "House",
        "House1",
        "house 1",
        "HOUSE 007",
        "House\u{a0}1",
        "House\u{2003}1",
        "House  1",
        "House-1",
        "House #1",
        "(House 1)",
        "♠ House 1 ♠",
        // Greek and Cyrillic letters that look Latin; full-width, bold and script letters; marks.
        "HΟUSE 1",
        "Hoυse 1",
        "Ηouse 1",
        "Ноuѕе 1",
        "Ｈｏｕｓｅ　１",
        "𝐇𝐨𝐮𝐬𝐞 𝟏",
        "ℋouse 1",
        "Hóuse 1",
        "Hou\u{332}se 1",
        // Digits for letters, letters for digits, and digits of other scripts.
        "H0use 1",
        "House l",
        "House I0",
        "House |",
        "House ①",
        "House ١",
        "House १२",
        "House ²",
    ] {
        assert_eq!(name_error(name), Some(NameError::OfTheHouse), "{name:?}");
    }
    for number in [1, 2, 10, 999] {
        let name = house_name(number);
        assert_eq!(name.as_str(), format!("House {number}"));
        let found = name_error(name.as_str());
        assert_eq!(found, Some(NameError::OfTheHouse), "{number}");
    }
}

// JSON Schema counts characters as Unicode code points.
#[test]
fn the_schema_and_the_table_have_the_same_length_limits() {
    let schema: serde_json::Value = serde_json::from_str(PROTOCOL_SCHEMA).expect("JSON");
    let hello = schema["$defs"]["Request"]["oneOf"][0]["properties"].clone();
    assert_eq!(hello["type"]["const"], "hello");
    assert_eq!(hello["name"]["$ref"], "#/$defs/TypedName");
    let length = |limit: &str| schema["$defs"]["TypedName"][limit].as_u64();
    let of_length = |length: u64| name_error(&(0..length).map(|_| '𝔞').collect::<String>());
    let (least, most) = (length("minLength"), length("maxLength"));
    let (least, most) = (least.expect("a limit"), most.expect("a limit"));
    assert_eq!([of_length(least), of_length(most)], [None, None]);
    let beyond = [of_length(least - 1), of_length(most + 1)];
    assert_eq!(beyond, [Some(NameError::Length); 2]);
}

#[test]
fn a_refusal_says_which_rule_is_broken() {
    for (name, english, polish) in [
        ("", "1 to 32 characters", "od 1 do 32 znaków"),
        ("\u{fdd0}", "must be visible", "musi być widoczny"),
        ("Zoe\u{308}", "NFC", "NFC"),
        (
            "\u{301}",
            "at least one letter or digit",
            "co najmniej jedną literę",
        ),
        ("\u{301}x", "must not begin with", "nie może się nim"),
        ("House l", "belong to the house", "tylko komputer"),
    ] {
        let error = RequestError::Name(name_error(name).expect(name));
        for (lang, words) in [(Lang::En, english), (Lang::Pl, polish)] {
            let catalogue = Catalogue::built_in(lang);
            let told = catalogue.format_text(&Text::from(&error));
            assert!(told.contains(words), "{told}");
        }
        assert!(error.to_string().starts_with("expected a name"), "{error}");
    }
}

/// Names that were accepted before there were rules.
const BEFORE: [&str; 7] = [
    "House 1",
    "House\u{a0}1",
    "Hοuse 1",
    "\u{301}\u{302}",
    "\u{301}Ann",
    "\u{fdd0}",
    "Zoe\u{308}",
];

#[test]
fn stores_keep_names_accepted_earlier() {
    for name in BEFORE {
        assert!(name_error(name).is_some(), "{name:?}");
        assert_eq!(Name::new(name).expect(name).as_str(), name);
        let joined = serde_json::json!({"joined": {"player": 7, "name": name, "house": false}});
        let event: RoomEvent = serde_json::from_value(joined.clone()).expect(name);
        assert_eq!(serde_json::to_value(event).expect("JSON"), joined);
    }
}

#[test]
fn journals_of_version_1_replay_with_any_names() {
    let (secret, game) = (Secret::new(Hex::new([7; 32])), 1);
    let rules = TokenRules::first_version(Kind::Single);
    for name in BEFORE {
        let players = [name, "Bob"].map(|name| Name::new(name).expect("a name"));
        let mut events = vec![TokenEvent::Started { players }];
        let mut played = TokenGame::new(rules, game, secret);
        played.apply(&events[0]).expect("a start");
        for step in [
            Move::Deal,
            Move::Decide(Seat::FIRST, Decision::Fold),
            Move::Decide(Seat::SECOND, Decision::Fold),
        ] {
            let mut due = Some(played.decide(&step).expect("a legal move"));
            while let Some(event) = due {
                played.apply(&event).expect("a possible event");
                events.push(event);
                due = played.due_event();
            }
        }
        let committed = CommittedGame {
            rules,
            game,
            commitment: secret.commitment(),
            secret,
        };
        let journal = write_token_journal("test", committed, Lang::En, &events).expect("a game");
        let judgement = verify(&journal[..]).expect("memory");
        assert_eq!(judgement.verdict(), Verdict::Verified, "{name:?}");
    }
}
