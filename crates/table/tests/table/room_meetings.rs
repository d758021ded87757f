//! Matching of players who want to play against somebody in particular.

use std::time::Duration;
use war::support::hex::Hex;
use war::tokens::{Kind, Name, Secret};
use war_table::protocol::{Message, OpponentFilter, PlayerId, Refusal};
use war_table::room::{
    Command, Effects, Match, NumberPool, OpponentChoice, Parties, Room, RoomEvent, Timeouts,
};
use war_table::time::TableTime;

const ANN: PlayerId = PlayerId(1);
const BOB: PlayerId = PlayerId(2);
const CID: PlayerId = PlayerId(3);
const HOUSE: PlayerId = PlayerId(4);
const CODE: Hex<16> = Hex::new([7; 16]);
const INVITED: OpponentChoice = OpponentChoice::Invitation(CODE);

/// A room with Ann, Bob, Cid and a player of the house.
fn room() -> Room {
    let terms = Timeouts {
        decide: Duration::from_secs(30),
        seeds: Duration::from_secs(5),
    };
    let mut room = Room::new(terms, NumberPool::from_first(1), NumberPool::from_first(1));
    for (name, house) in [
        ("Ann", false),
        ("Bob", false),
        ("Cid", false),
        ("House 1", true),
    ] {
        let name = Name::new(name).expect("a name");
        let join = Command::Join { name, house };
        room.step(&join, TableTime::ZERO).expect("anybody may join");
    }
    room
}

/// A choice of the single card game.
const fn choose(player: PlayerId, opponent: OpponentChoice) -> Command {
    Command::Choose {
        player,
        kind: Kind::Single,
        opponent,
        seed_hash: Some(Hex::new([8; 32])),
        secret: Secret::new(Hex::new([9; 32])),
    }
}

const fn cancel(player: PlayerId) -> Command {
    let kind = Kind::Single;
    Command::Cancel { player, kind }
}

fn step(room: &mut Room, command: &Command) -> Effects {
    room.step(command, TableTime::ZERO).expect("it is granted")
}

/// Opponent with whom a player who chooses the single card game would be matched.
fn find(room: &Room, player: PlayerId, opponent: OpponentChoice) -> Option<PlayerId> {
    room.find_opponent(player, Kind::Single, opponent, TableTime::ZERO)
}

/// Players matched by these effects, and the choice of opponent by which they met.
fn met(effects: &Effects) -> Option<([PlayerId; 2], OpponentChoice)> {
    effects.events.iter().find_map(|event| match event {
        RoomEvent::Matched(Match { seats, with, .. }) => Some((*seats, *with)),
        _ => None,
    })
}

/// Messages to a player in these effects.
fn heard(effects: &Effects, player: PlayerId) -> Vec<Message> {
    let theirs = effects.messages.iter().filter(|(to, _)| *to == player);
    theirs.map(|(_, sent)| sent.message.clone()).collect()
}

const fn rematch(opponent: PlayerId) -> OpponentChoice {
    OpponentChoice::Rematch { game: 9, opponent }
}

#[test]
fn an_invitation_is_only_for_its_holder_and_one_game() {
    let mut room = room();
    let waits = step(&mut room, &choose(ANN, INVITED));
    let with = Some(OpponentFilter::Invitation(CODE));
    let game = Kind::Single;
    assert_eq!(
        heard(&waits, ANN),
        [Message::Waiting {
            game,
            with,
            ready: None,
            in_reply_to: None
        }]
    );
    // Neither a player without an invitation nor the house is matched.
    assert_eq!(
        met(&step(&mut room, &choose(BOB, OpponentChoice::Anyone))),
        None
    );
    assert_eq!(
        room.first_waiting_player(Kind::Single),
        Some((BOB, TableTime::ZERO))
    );
    assert_eq!(room.waiting_count(), 2);
    let other = OpponentChoice::Invitation(Hex::new([6; 16]));
    assert_eq!(find(&room, CID, other), None);
    assert_eq!(find(&room, CID, INVITED), Some(ANN));
    let mut double = choose(CID, INVITED);
    if let Command::Choose { kind, .. } = &mut double {
        *kind = Kind::Double;
    }
    let double = room.step(&double, TableTime::ZERO);
    assert_eq!(double, Err(Refusal::NotInvited), "it is for another game");
    let effects = step(&mut room, &choose(CID, INVITED));
    assert_eq!(met(&effects), Some(([ANN, CID], INVITED)));
    assert_eq!(find(&room, BOB, INVITED), None);
}

#[test]
fn both_players_of_an_invitation_meet_in_any_order() {
    let mut room = room();
    step(&mut room, &choose(BOB, INVITED));
    let again = room.step(&choose(BOB, INVITED), TableTime::ZERO);
    assert_eq!(again, Err(Refusal::Waiting));
    let met = met(&step(&mut room, &choose(ANN, INVITED)));
    assert_eq!(met, Some(([BOB, ANN], INVITED)));
}

#[test]
fn a_player_who_wants_the_house_meets_only_the_house() {
    let mut room = room();
    for player in [ANN, BOB] {
        assert_eq!(
            met(&step(&mut room, &choose(player, OpponentChoice::House))),
            None
        );
    }
    assert_eq!(
        met(&step(&mut room, &choose(CID, OpponentChoice::Anyone))),
        None
    );
    let effects = step(&mut room, &choose(HOUSE, OpponentChoice::House));
    assert_eq!(met(&effects), Some(([ANN, HOUSE], OpponentChoice::House)));
}

#[test]
fn a_rematch_brings_the_same_two_together_once_both_want_it() {
    let mut room = room();
    let wanted = step(&mut room, &choose(ANN, rematch(BOB)));
    let game_id = 9;
    assert_eq!(heard(&wanted, BOB), [Message::RematchWanted { game_id }]);
    assert_eq!(heard(&wanted, CID), []);
    // Neither another player who names the game nor Bob with another opponent is matched.
    for (player, opponent) in [(CID, BOB), (CID, ANN), (BOB, CID)] {
        let met = find(&room, player, rematch(opponent));
        assert_eq!(met, None, "{player} and {opponent}");
    }
    let effects = step(&mut room, &choose(BOB, rematch(ANN)));
    assert_eq!(met(&effects), Some(([ANN, BOB], rematch(ANN))));
}

#[test]
fn a_player_who_stops_waiting_withdraws_the_rematch() {
    let mut room = room();
    step(&mut room, &choose(ANN, rematch(BOB)));
    let cancel = cancel(ANN);
    let cancelled = step(&mut room, &cancel);
    let game_id = 9;
    assert_eq!(
        heard(&cancelled, BOB),
        [Message::RematchWithdrawn { game_id }]
    );
    // A player who has chosen another game is not told about the rematch any more.
    step(&mut room, &choose(BOB, OpponentChoice::Anyone));
    for command in [choose(ANN, rematch(BOB)), cancel] {
        assert_eq!(heard(&step(&mut room, &command), BOB), []);
    }
}

#[test]
fn a_player_waiting_for_somebody_is_not_forwarded() {
    let mut room = room();
    step(&mut room, &choose(ANN, INVITED));
    let send_on = Command::Forward {
        player: ANN,
        room: 1,
    };
    assert_eq!(
        room.step(&send_on, TableTime::ZERO),
        Err(Refusal::NotWaiting)
    );
}

#[test]
fn a_closing_room_releases_players_waiting_for_somebody() {
    let mut room = room();
    step(&mut room, &choose(ANN, rematch(BOB)));
    step(&mut room, &choose(CID, INVITED));
    let drained = step(&mut room, &Command::Drain);
    let game = Kind::Single;
    for player in [ANN, CID] {
        assert_eq!(heard(&drained, player), [Message::Draining { game }]);
    }
    assert_eq!((heard(&drained, BOB), room.waiting_count()), (vec![], 0));
}

/// Ann's friend link.
const LINK: OpponentChoice = OpponentChoice::Friend {
    link: Hex::new([5; 8]),
    inviter: ANN,
};

/// A choice to play with Ann, or for Ann with a friend, committed to a seed hash of this byte.
const fn with_link(player: PlayerId, hash: Option<u8>) -> Command {
    Command::Choose {
        player,
        kind: Kind::Single,
        opponent: LINK,
        seed_hash: match hash {
            Some(byte) => Some(Hex::new([byte; 32])),
            None => None,
        },
        secret: Secret::new(Hex::new([9; 32])),
    }
}

#[test]
fn friends_play_once_both_are_ready() {
    let mut room = room();
    let at = TableTime::from_millis;
    for (player, hash, time) in [
        (ANN, Some(1), 0),
        // Two guests of the same link don't play with each other.
        (BOB, None, 60_000),
        // Ann was ready too long ago: her device may sleep, so that she is asked again.
        (BOB, Some(2), 60_001),
        (CID, Some(3), 60_002),
    ] {
        let waits = room.step(&with_link(player, hash), at(time));
        assert_eq!(met(&waits.expect("it is granted")), None, "{player} {time}");
    }
    let friends: Vec<_> = room.friends_of(ANN, LINK).collect();
    assert_eq!(
        friends
            .iter()
            .map(|friend| friend.player)
            .collect::<Vec<_>>(),
        [BOB, CID]
    );
    // A player who is not ready starts nothing.
    let waits = room
        .step(&with_link(ANN, None), at(60_003))
        .expect("it is granted");
    assert_eq!(met(&waits), None);
    let starts = room
        .step(&with_link(ANN, Some(4)), at(70_002))
        .expect("it is granted");
    let RoomEvent::Matched(matched) = &starts.events[0] else {
        panic!("{starts:?}");
    };
    assert_eq!(
        (matched.seats, matched.with),
        ([CID, ANN], LINK),
        "Bob's answer is too old"
    );
    let Parties::Committed { seed_hashes } = &matched.parties else {
        panic!("{matched:?}");
    };
    assert_eq!(*seed_hashes, [3, 4].map(|byte| Hex::new([byte; 32])));
    assert_eq!(room.friends_of(BOB, LINK).count(), 0, "Ann is gone");
    assert_eq!(room.waiting_count(), 1);
}

#[test]
fn a_player_who_waits_for_a_friend_can_choose_nothing_else() {
    let mut room = room();
    step(&mut room, &with_link(ANN, Some(1)));
    let mut double = with_link(ANN, Some(1));
    if let Command::Choose { kind, .. } = &mut double {
        *kind = Kind::Double;
    }
    let refused = room.step(&double, TableTime::ZERO);
    assert_eq!(refused, Err(Refusal::Waiting));
    let refused = room.step(&choose(ANN, INVITED), TableTime::ZERO);
    assert_eq!(refused, Err(Refusal::Waiting));
    step(&mut room, &cancel(ANN));
    assert_eq!(room.friends().count(), 0);
}
