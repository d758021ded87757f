use super::rig::{answers, request, visitor};
use crate::peers::handshake::Greeting;
use crate::peers::link::ToSend;
use crate::peers::wire::{Frame, Frames, LONGEST, ToGateway, ToOwner, opened, sealed, send};
use proptest::prelude::{any, prop_assert_eq, proptest};
use war::support::hex::Hex;
use war::tokens::Name;
use war_table::protocol::{AccessToken, ProtocolVersion, Request, RequestId};
use war_table::server::rooms::RoomNumber;

/// What a node of this version writes.
fn written(frame: &impl serde::Serialize) -> String {
    serde_json::to_string(frame).expect("JSON")
}

// The other side may be of an earlier or a later build: these are what it reads.
#[test]
fn frames_stay_what_they_are() {
    let (visit, arrived) = (4, 100);
    let hello = Request::Hello {
        id: RequestId::new("h").expect("a name"),
        name: Name::new("Zoë").expect("a name"),
        token: AccessToken::new(Hex::new([9; 32])),
        watchable: false,
        protocol: ProtocolVersion,
    };
    let asked = |request| ToSend::Ask {
        visit,
        request,
        arrived,
    };
    let enter = ToSend::Enter {
        visit,
        room: RoomNumber(2),
        visitor: visitor(),
        arrived,
    };
    let token = "09".repeat(32);
    let hello_sent = format!(
        r#"{{"ask":{{"visit":4,"age":250,"request":{{"type":"hello","id":"h","name":"Zoë","token":"{token}","protocol":2}}}}}}"#
    );
    for (frame, expected) in [
        (
            enter,
            r#"{"enter":{"visit":4,"age":250,"room":2,"address":{"v4":3221225991},"may_join":true,"lang":"pl","player":3}}"#,
        ),
        (
            asked(request("r")),
            r#"{"ask":{"visit":4,"age":250,"request":{"type":"resume","id":"r","after":5}}}"#,
        ),
        (asked(hello), &hello_sent[..]),
        (ToSend::Leave { visit }, r#"{"leave":{"visit":4}}"#),
    ] {
        assert_eq!(written(&frame.wire(350)), expected);
        let read: ToOwner = serde_json::from_str(expected).expect("a frame");
        assert_eq!(written(&read), expected);
    }
    let handed = answers("a").into_iter();
    let handed: Vec<_> = handed
        .map(|what| written(&ToGateway::Hand { visit, what }))
        .collect();
    let expected = [
        r#"{"hand":{"visit":4,"what":{"welcome":{"body":"{\"id\":\"a\"}","player":3,"seq":17,"returns":true}}}}"#,
        r#"{"hand":{"visit":4,"what":{"push":{"seq":18,"body":"żółw \"\\\n🂡"}}}}"#,
        r#"{"hand":{"visit":4,"what":{"answer":"a"}}}"#,
        r#"{"hand":{"visit":4,"what":{"resumed":null}}}"#,
        r#"{"hand":{"visit":4,"what":{"resumed":18446744073709551615}}}"#,
        r#"{"hand":{"visit":4,"what":"done"}}"#,
        r#"{"hand":{"visit":4,"what":{"elsewhere":15}}}"#,
        r#"{"hand":{"visit":4,"what":"released"}}"#,
    ];
    assert_eq!(handed, expected);
    assert_eq!(
        written(&ToGateway::NotOwner { visit }),
        r#"{"not_owner":{"visit":4}}"#
    );
    assert_eq!(written(&<ToGateway as Frame>::beat()), r#"{"beat":{}}"#);
    assert_eq!(written(&<ToSend as Frame>::beat()), r#"{"beat":{}}"#);
}

#[test]
fn fields_of_later_versions_are_left_out_of_account() {
    let later = r#"{"not_owner":{"visit":4,"address":"10.0.0.1:7000","epoch":7}}"#;
    let read: ToGateway = serde_json::from_str(later).expect("a frame");
    assert_eq!(read, ToGateway::NotOwner { visit: 4 });
    let later = r#"{"leave":{"why":{"a":[1]},"visit":4}}"#;
    let read: Result<ToOwner, _> = serde_json::from_str(later);
    assert!(matches!(read, Ok(ToOwner::Leave { visit: 4 })));
}

#[tokio::test]
async fn frames_are_as_long_as_they_may_be_and_no_longer() {
    for (length, fits) in [(LONGEST, true), (LONGEST + 1, false)] {
        let frame = "x".repeat(length - 2);
        let mut bytes = Vec::new();
        assert_eq!(send(&mut bytes, &frame).await.is_ok(), fits);
        let mut bytes = u32::try_from(length).expect("short").to_be_bytes().to_vec();
        bytes.extend(written(&frame).bytes());
        let read: Result<String, _> = Frames::new(&bytes[..]).next(LONGEST).await;
        assert_eq!(read.ok() == Some(frame), fits);
    }
}

fn read_all(bytes: &[u8]) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    runtime.expect("a runtime").block_on(async {
        // Whatever it is: it is read or refused.
        let _ = Frames::new(bytes).next::<ToOwner>(LONGEST).await;
        let _ = Frames::new(bytes).next::<ToGateway>(LONGEST).await;
        let _ = Frames::new(bytes).next::<Greeting>(LONGEST).await;
    });
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
        read_all(&bytes);
        let length = u32::try_from(bytes.len()).expect("short");
        read_all(&[&length.to_be_bytes()[..], &bytes].concat());
    }

    // Most of what is nearly a frame.
    #[test]
    fn any_change_to_a_frame_is_read_or_refused(at: usize, byte: u8, which in 0..3_usize) {
        let token = "09".repeat(32);
        let hello = format!(r#"{{"ask":{{"visit":4,"age":250,"request":{{"type":"hello","id":"h","name":"Zoë","token":"{token}","protocol":2}}}}}}"#);
        let frame = [
            r#"{"enter":{"visit":4,"age":250,"room":2,"address":{"v4":3},"lang":"pl","player":3}}"#,
            &hello[..],
            r#"{"hand":{"visit":4,"what":{"push":{"seq":18,"body":"żółw \"\\\n"}}}}"#,
        ][which];
        let mut bytes = frame.as_bytes().to_vec();
        let at = at % bytes.len();
        bytes[at] = byte;
        let length = u32::try_from(bytes.len()).expect("short");
        read_all(&[&length.to_be_bytes()[..], &bytes].concat());
        if let Ok(ToOwner::Ask { request, .. }) = serde_json::from_slice(&bytes) {
            let _ = opened(&request);
        }
    }

    #[test]
    fn every_hello_arrives_as_it_was_said(
        id in "[!-~]{1,64}",
        name in "[a-zA-Zżółć0-9]{1,20}x",
        token in any::<[u8; 32]>(),
        watchable in any::<bool>(),
    ) {
        let request = Request::Hello {
            id: RequestId::new(&id).expect("a name"),
            name: Name::new(&name).expect("a name"),
            token: AccessToken::new(Hex::new(token)),
            watchable, protocol: ProtocolVersion };
        let sealed = sealed(&request).expect("JSON");
        prop_assert_eq!(opened(&sealed), Some(request));
    }
}
