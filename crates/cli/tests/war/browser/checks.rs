//! Cryptography of the page: hashes, deals, the log's tree and signatures, against test vectors of
//! their standards and against the program's own core.

use super::table::{Player, Table, with_browser};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use war::support::hex::Hex;
use war::tokens::{Secret, TokenRules, commitment};

/// Runs a script with `given` and modules of the page, such as `fairness/log-format`, which the script
/// calls `log_format`.
pub(super) fn run(player: &Player, modules: &[&str], given: &Value, script: &str) -> Value {
    let imports = modules
        .iter()
        .map(|module| format!("import('/{module}.js')"));
    let imports = imports.collect::<Vec<_>>().join(", ");
    let names = modules.iter().map(|module| {
        let name = module.rsplit('/').next().unwrap_or_default();
        name.replace('-', "_")
    });
    let names = names.collect::<Vec<_>>().join(", ");
    player.run(&format!(
        "return Promise.all([{imports}]).then(async ([{names}]) => {{
            const given = {given};
            {script}
        }});"
    ))
}

pub(super) fn with_modules(check: impl FnOnce(&Player)) {
    let table = Table::open(&["--bots", "0"]);
    with_browser(&table, "en", "Ann", |page| {
        // The browser shows a style sheet in place of the page, whose own modules would receive the
        // real table's messages.
        page.go(&format!("{}styles/table.css", table.address));
        check(page);
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn hashes_match_the_standards() {
    with_modules(|page| {
        // FIPS 180-4, and the lengths at which the padding fills a block.
        let texts = ["", "abc"].map(String::from).into_iter();
        let texts: Vec<_> = texts
            .chain([55, 56, 63, 64, 65].map(|n| "a".repeat(n)))
            .collect();
        let hashes = run(
            page,
            &["sha256"],
            &json!(texts),
            "return given.map((text) => sha256.toHex(sha256.sha256(sha256.utf8(text))))",
        );
        assert_eq!(
            hashes[1],
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let expected: Vec<_> = texts
            .iter()
            .map(|text| digits(&Sha256::digest(text)))
            .collect();
        assert_eq!(hashes, json!(expected));
        // RFC 4231: cases 1, 2, 3 and 6.
        let cases = [
            ("0b".repeat(20), hex("Hi There")),
            (hex("Jefe"), hex("what do ya want for nothing?")),
            ("aa".repeat(20), "dd".repeat(50)),
            (
                "aa".repeat(131),
                hex("Test Using Larger Than Block-Size Key - Hash Key First"),
            ),
        ];
        let macs = run(
            page,
            &["sha256"],
            &json!(cases),
            "return given.map(([key, data]) => sha256.toHex(sha256.hmac(sha256.fromHex(key), sha256.fromHex(data))))",
        );
        assert_eq!(
            macs,
            json!([
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            ])
        );
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn deals_match_the_core() {
    let mut cases = Vec::new();
    let mut expected = Vec::new();
    for rules in TokenRules::ALL {
        for number in 1..=10_u64 {
            let seeds = [1, 2].map(|seat| bytes_from(&format!("{} {number} {seat}", rules.id())));
            let secret = bytes_from(&format!("{} {number}", rules.id()));
            let digits = seeds.map(|seed| seed.to_string());
            let deal = u32::try_from(number).expect("a small number");
            let hands = Secret::new(secret).deal(
                rules,
                number,
                digits.each_ref().map(|seed| &**seed),
                deal,
            );
            cases.push(json!([
                rules.id(),
                number,
                deal,
                secret.to_string(),
                digits
            ]));
            expected.push(json!(hands));
        }
    }
    with_modules(|page| {
        let script = "return given.map((args) => deal.dealHands(...args))";
        let hands = run(page, &["fairness/deal"], &json!(cases), script);
        assert_eq!(hands, json!(expected));
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn the_log_is_a_tree_as_defined_by_rfc_6962() {
    // Leaves and roots from the tests of Certificate Transparency.
    const ROOTS: [&str; 8] = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];
    let leaves = [
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    ];
    let leaves = leaves.map(|leaf| leaf.parse::<Bytes>().expect("digits").0);
    let hashes: Vec<_> = leaves
        .iter()
        .map(|leaf| digits(&Sha256::digest([&[0], &leaf[..]].concat())))
        .collect();
    for (size, root) in (1..).zip(ROOTS) {
        assert_eq!(root_of(&hashes[..size]), root);
    }
    let many: Vec<_> = (0..40)
        .map(|leaf| digits(&Sha256::digest([0, leaf])))
        .collect();
    let roots: Vec<_> = (1..=many.len())
        .map(|size| root_of(&many[..size]))
        .collect();
    with_modules(|page| {
        let leaf = run(
            page,
            &["fairness/merkle-tree"],
            &json!(null),
            "return merkle_tree.leafHash('')",
        );
        assert_eq!(leaf, ROOTS[0]);
        for (leaves, roots) in [(&hashes, &ROOTS.map(String::from)[..]), (&many, &roots[..])] {
            let wrong = run(
                page,
                &["fairness/merkle-tree"],
                &json!({ "leaves": leaves, "roots": roots }),
                PROOFS,
            );
            assert_eq!(wrong, json!([]));
        }
    });
}

/// Proves the inclusion of every leaf in every tree and the consistency of every pair of trees, and
/// tries the same for changed data. Returns the wrong answers.
const PROOFS: &str = "
    const { leaves, roots } = given;
    const wrong = [];
    const read = async (level, index) => {
        if (level === 0) return leaves[index];
        const [one, other] = [read(level - 1, 2 * index), read(level - 1, 2 * index + 1)];
        return merkle_tree.nodeHash(await one, await other);
    };
    for (let size = 1; size <= leaves.length; size += 1) {
        const now = { size, root: roots[size - 1] };
        for (let index = 0; index < size; index += 1) {
            const path = await merkle_tree.inclusionPath(index, size, read);
            const root = (leaf, path) => merkle_tree.rootFromPath(leaf, index, size, path);
            if (root(leaves[index], path) !== now.root) wrong.push(['leaf', index, size]);
            if (root('00'.repeat(32), path) === now.root) wrong.push(['other leaf', index, size]);
            if (root(leaves[index], [...path, now.root]) !== null) wrong.push(['long path', index, size]);
            if (size > 1 && root(leaves[index], path.slice(1)) === now.root) wrong.push(['short path', index, size]);
        }
        for (let before = 1; before <= size; before += 1) {
            const old = { size: before, root: roots[before - 1] };
            const proof = await merkle_tree.consistencyProof(before, size, read);
            if (!merkle_tree.isConsistent(old, now, proof)) wrong.push(['tree', before, size]);
            const other = { ...old, root: '00'.repeat(32) };
            if (merkle_tree.isConsistent(other, now, proof)) wrong.push(['other tree', before, size]);
            const changed = { ...now, root: '00'.repeat(32) };
            if (merkle_tree.isConsistent(old, changed, proof)) wrong.push(['changed tree', before, size]);
            if (before < size && merkle_tree.isConsistent(now, old, proof)) wrong.push(['shorter tree', before, size]);
        }
    }
    return wrong;
";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn signatures_match_ed25519() {
    // RFC 8032, 7.1, the second test: the message is the letter r.
    const KEY: &str = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
    const SIGNATURE: &str = "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";
    with_modules(|page| {
        let cases = json!([
            [KEY, "r", SIGNATURE],
            [KEY, "s", SIGNATURE],
            [KEY, "r", SIGNATURE.replace("92a0", "92a1")],
            [KEY.replace("3d40", "3d41"), "r", SIGNATURE],
            [KEY, "r", ""],
            ["", "r", SIGNATURE],
        ]);
        let signed = "return Promise.all(given.map((signed) => log_format.isSigned(...signed)))";
        let right = run(page, &["fairness/log-format"], &cases, signed);
        assert_eq!(right, json!([true, false, false, false, false, false]));
        // Without https, a page can't verify signatures.
        let without = "Object.defineProperty(crypto, 'subtle', { value: undefined }); ";
        let right = run(
            page,
            &["fairness/log-format"],
            &json!([cases[0]]),
            &format!("{without}{signed}"),
        );
        assert_eq!(right, json!([null]));
    });
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_seed_is_kept_until_it_has_been_checked() {
    with_modules(|page| {
        let hash = run(
            page,
            &["fairness/seeds"],
            &json!(null),
            "return seeds.draw()",
        );
        page.reload();
        let kept = |page: &Player| {
            run(
                page,
                &["fairness/seeds"],
                &hash,
                "return seeds.findByHash(given)",
            )
        };
        let seed = kept(page);
        let seed: Hex<32> = seed.as_str().expect("a seed").parse().expect("32 bytes");
        assert_eq!(hash, commitment(&seed).to_string());
        // A second seed is kept beside the first.
        let other = run(
            page,
            &["fairness/seeds"],
            &json!(null),
            "return seeds.draw()",
        );
        assert_ne!(other, hash);
        assert_eq!(kept(page), seed.to_string());
        run(
            page,
            &["fairness/seeds"],
            &json!(seed.to_string()),
            "seeds.forget(given)",
        );
        assert_eq!(kept(page), json!(null));
        let still = run(
            page,
            &["fairness/seeds"],
            &other,
            "return seeds.findByHash(given) !== null",
        );
        assert_eq!(still, true);
    });
}

/// Arbitrary bytes, the same in every run.
pub(super) fn bytes_from(text: &str) -> Hex<32> {
    Hex::new(Sha256::digest(text).into())
}

/// Bytes from hexadecimal digits.
struct Bytes(Vec<u8>);

impl std::str::FromStr for Bytes {
    type Err = std::num::ParseIntError;

    fn from_str(digits: &str) -> Result<Self, Self::Err> {
        let pairs = (0..digits.len()).step_by(2);
        let bytes = pairs.map(|at| u8::from_str_radix(&digits[at..at + 2], 16));
        Ok(Self(bytes.collect::<Result<_, _>>()?))
    }
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn hex(text: &str) -> String {
    digits(text.as_bytes())
}

/// Root of a tree of these leaves, by the definition in RFC 6962.
fn root_of(leaves: &[String]) -> String {
    let [leaf] = leaves else {
        let left = leaves.len().next_power_of_two() / 2;
        let (one, other) = leaves.split_at(left);
        let parts =
            [root_of(one), root_of(other)].map(|hash| hash.parse::<Bytes>().expect("digits").0);
        return digits(&Sha256::digest(
            [&[1], &parts[0][..], &parts[1][..]].concat(),
        ));
    };
    leaf.clone()
}
