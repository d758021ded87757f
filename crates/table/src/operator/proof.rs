use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use war::signing::TableKey;
use war::support::hex::Hex;

/// What a proof is over, before the challenge and the question: so it proves nothing else.
const PURPOSE: &[u8] = b"war-table operator/1\n";

/// 32 random bytes that a table draws, and takes once.
pub type Challenge = Hex<32>;
/// That somebody can read the key of a table: an HMAC-SHA256.
pub type Proof = Hex<32>;

/// Proves that this question is from somebody who can read the table's key.
#[must_use]
pub fn proof(key: &TableKey, challenge: &Challenge, question: &[u8]) -> Proof {
    Hex::new(mac(key, challenge, question).finalize().into_bytes().into())
}

/// Whether a question is from somebody who can read the table's key. It takes as long however
/// much of the proof is right.
#[must_use]
pub fn is_proven(key: &TableKey, challenge: &Challenge, question: &[u8], proof: &Proof) -> bool {
    let mac = mac(key, challenge, question);
    mac.verify_slice(proof.bytes()).is_ok()
}

fn mac(key: &TableKey, challenge: &Challenge, question: &[u8]) -> Hmac<Sha256> {
    let secret = key.ed25519().to_bytes();
    let mac = Hmac::<Sha256>::new_from_slice(&secret);
    let mut mac = mac.expect("a key of any length will do");
    mac.update(PURPOSE);
    mac.update(challenge.bytes());
    mac.update(question);
    mac
}

#[cfg(test)]
mod tests {
    use super::{is_proven, proof};
    use war::signing::TableKey;
    use war::support::hex::Hex;

    // `(printf 'war-table operator/1\n'; head -c 32 /dev/zero; printf '{}') | openssl dgst -sha256
    // -mac HMAC -macopt hexkey:...`, with the secret key in `signer.key`.
    #[test]
    fn a_proof_is_of_one_key_one_challenge_and_one_question() {
        let key = TableKey::from_file(include_str!("../../../../tests/keys/signer.key"));
        let key = key.expect("a key");
        let other = TableKey::from_file(&TableKey::draw().expect("randomness")).expect("a key");
        let challenge = Hex::new([0; 32]);
        let proven = proof(&key, &challenge, b"{}");
        assert_eq!(
            proven.to_string(),
            "15121bf2d7d133ddbaf012d9c4b03cbc3c20cab94e28d6d38b61073e55600a81"
        );
        assert!(is_proven(&key, &challenge, b"{}", &proven));
        assert!(!is_proven(&other, &challenge, b"{}", &proven));
        assert!(!is_proven(&key, &Hex::new([1; 32]), b"{}", &proven));
        assert!(!is_proven(&key, &challenge, b"{ }", &proven));
        assert!(!is_proven(&key, &challenge, b"{}", &Hex::new([0; 32])));
    }
}
