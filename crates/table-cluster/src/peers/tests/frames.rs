use super::harness::{answers, request, visitor};
use crate::peers::handshake::Greeting;
use crate::peers::link::PendingFrame;
use crate::peers::wire::{
    FrameReader, FrameToGateway, FrameToOwner, IntoFrame, MAX_FRAME_LEN, decode_request, send_frame,
};
use proptest::prelude::{Just, any, prop_assert_eq, prop_oneof, proptest};
use war::support::hex::Hex;
use war::tokens::Name;
use war_table::protocol::{AccessToken, PlayerId, ProtocolVersion, Request, RequestId};
use war_table::server::hub::HubDelivery;
use war_table::server::rooms::RoomNumber;
use war_table::time::Monotonic;

fn to_json(frame: &impl serde::Serialize) -> String {
    serde_json::to_string(frame).expect("JSON")
}

// The other side may run an earlier or later build, which expects exactly these frames.
#[test]
fn frames_keep_their_form() {
    let (stream, arrived) = (4, Monotonic::from_millis(100));
    let hello = Request::Hello {
        id: RequestId::new("h").expect("a name"),
        name: Name::new("Zoë").expect("a name"),
        token: AccessToken::new(Hex::new([9; 32])),
        watchable: false,
        protocol: ProtocolVersion::V2,
    };
    let mut latest_hello = hello.clone();
    if let Request::Hello { protocol, .. } = &mut latest_hello {
        *protocol = ProtocolVersion::V4;
    }
    let asked = |request| PendingFrame::Request {
        stream,
        request,
        arrived,
    };
    let enter = PendingFrame::Enter {
        stream,
        room: RoomNumber(2),
        visitor: visitor(),
        arrived,
    };
    let token = "09".repeat(32);
    let hello_sent = format!(
        r#"{{"ask":{{"visit":4,"age":250,"request":{{"type":"hello","id":"h","name":"Zoë","token":"{token}","protocol":2}}}}}}"#
    );
    let latest_hello_sent = hello_sent.replace("2}}}", "2},\"protocol\":4}}");
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
        (asked(latest_hello), &latest_hello_sent[..]),
        (PendingFrame::Leave { stream }, r#"{"leave":{"visit":4}}"#),
    ] {
        assert_eq!(
            to_json(&frame.into_wire(Monotonic::from_millis(350))),
            expected
        );
        let read: FrameToOwner = serde_json::from_str(expected).expect("a frame");
        assert_eq!(to_json(&read), expected);
    }
    let handed = answers("a").into_iter();
    let handed: Vec<_> = handed
        .map(|outbound| to_json(&FrameToGateway::deliver(stream, outbound).expect("a frame")))
        .collect();
    let expected = [
        r#"{"hand":{"visit":4,"what":{"welcome":{"body":"{\"id\":\"a\"}","player":3,"seq":17,"returns":true,"watchable":true}}}}"#,
        r#"{"hand":{"visit":4,"what":{"push":{"seq":18,"body":"żółw \"\\\n🂡"}}}}"#,
        r#"{"hand":{"visit":4,"what":{"push":{"seq":19,"body":"{}"}},"in_reply_to":"a"}}"#,
        r#"{"hand":{"visit":4,"what":{"answer":"a"}}}"#,
        r#"{"hand":{"visit":4,"what":{"answer":"{}"},"in_reply_to":"a"}}"#,
        r#"{"hand":{"visit":4,"what":{"resumed":null}}}"#,
        r#"{"hand":{"visit":4,"what":{"resumed":18446744073709551615}}}"#,
        r#"{"hand":{"visit":4,"what":"done"}}"#,
        r#"{"hand":{"visit":4,"what":{"elsewhere":15}}}"#,
        r#"{"hand":{"visit":4,"what":"released"}}"#,
    ];
    assert_eq!(handed, expected);
    assert_eq!(
        to_json(&FrameToGateway::NotOwner { stream }),
        r#"{"not_owner":{"visit":4}}"#
    );
    assert_eq!(
        to_json(&<FrameToGateway as IntoFrame>::keep_alive()),
        r#"{"beat":{}}"#
    );
    assert_eq!(
        to_json(&<PendingFrame as IntoFrame>::keep_alive()),
        r#"{"beat":{}}"#
    );
}

#[test]
fn fields_of_later_versions_are_ignored() {
    let later = r#"{"not_owner":{"visit":4,"address":"10.0.0.1:7000","epoch":7}}"#;
    let read: FrameToGateway = serde_json::from_str(later).expect("a frame");
    assert_eq!(read, FrameToGateway::NotOwner { stream: 4 });
    let later = r#"{"leave":{"why":{"a":[1]},"visit":4}}"#;
    let read: Result<FrameToOwner, _> = serde_json::from_str(later);
    assert!(matches!(read, Ok(FrameToOwner::Leave { stream: 4 })));
}

#[test]
fn fields_that_earlier_versions_leave_out_may_be_missing() {
    let earlier =
        r#"{"hand":{"visit":4,"what":{"welcome":{"body":"","player":3,"seq":17,"returns":true}}}}"#;
    let read: FrameToGateway = serde_json::from_str(earlier).expect("a frame");
    let expected = HubDelivery::Welcome {
        player: PlayerId(3),
        seq: 17,
        returns: true,
        watchable: None,
        body: String::new(),
    };
    assert_eq!(Some(read), FrameToGateway::deliver(4, expected));
}

#[tokio::test]
async fn frames_have_a_maximum_length() {
    for (length, fits) in [(MAX_FRAME_LEN, true), (MAX_FRAME_LEN + 1, false)] {
        let frame = "x".repeat(length - 2);
        let mut bytes = Vec::new();
        assert_eq!(send_frame(&mut bytes, &frame).await.is_ok(), fits);
        let mut bytes = u32::try_from(length).expect("short").to_be_bytes().to_vec();
        bytes.extend(to_json(&frame).bytes());
        let read: Result<String, _> = FrameReader::new(&bytes[..]).read_frame(MAX_FRAME_LEN).await;
        assert_eq!(read.ok() == Some(frame), fits);
    }
}

fn read_all(bytes: &[u8]) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    runtime.expect("a runtime").block_on(async {
        // Errors are expected; only a panic fails the test.
        let _ = FrameReader::new(bytes)
            .read_frame::<FrameToOwner>(MAX_FRAME_LEN)
            .await;
        let _ = FrameReader::new(bytes)
            .read_frame::<FrameToGateway>(MAX_FRAME_LEN)
            .await;
        let _ = FrameReader::new(bytes)
            .read_frame::<Greeting>(MAX_FRAME_LEN)
            .await;
    });
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_rejected(bytes: Vec<u8>) {
        read_all(&bytes);
        let length = u32::try_from(bytes.len()).expect("short");
        read_all(&[&length.to_be_bytes()[..], &bytes].concat());
    }

    // Each case changes one byte of a valid frame.
    #[test]
    fn any_changed_frame_is_read_or_rejected(at: usize, byte: u8, which in 0..3_usize) {
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
        if let Ok(FrameToOwner::Request { request, protocol, .. }) = serde_json::from_slice(&bytes) {
            let _ = decode_request(&request, protocol);
        }
    }

    #[test]
    fn every_hello_arrives_unchanged(
        id in "[!-~]{1,64}",
        name in "[a-zA-Zżółć0-9]{1,20}x",
        token in any::<[u8; 32]>(),
        watchable in any::<bool>(),
        protocol in prop_oneof![Just(ProtocolVersion::V2), Just(ProtocolVersion::V4)],
    ) {
        let request = Request::Hello {
            id: RequestId::new(&id).expect("a name"),
            name: Name::new(&name).expect("a name"),
            token: AccessToken::new(Hex::new(token)),
            watchable, protocol };
        let frame = serde_json::to_value(FrameToOwner::request(4, 250, request.clone()));
        let frame = frame.expect("JSON");
        // Nodes of earlier versions know this version alone.
        prop_assert_eq!(&frame["ask"]["request"]["protocol"], 2);
        let frame: FrameToOwner = serde_json::from_str(&frame.to_string()).expect("a frame");
        let FrameToOwner::Request { request: body, protocol, .. } = frame else {
            panic!("not a request");
        };
        prop_assert_eq!(decode_request(&body, protocol), Some(request));
    }
}
