//! Section 7.7: `resources/list`, `resources/templates/list` and `resources/read`; and what sections 5.6, 7.17 and 7.18
//! say of them.

use serde_json::{Value, json};
use toolwire::{Argument, Bytes, Server, ServerInfo, toolset};

use super::fixture::{client, expand, expect, names, sees};
use crate::harness::{ALL, CAPACITY, LEGACY, MODERN, Peer};

const INFO: ServerInfo = ServerInfo::new("shelf", "1.0.0");

/// Resources of every kind.
#[derive(Clone, Debug, Default)]
struct Shelf {
    bytes: Vec<u8>,
    reads: u32,
}

#[derive(Argument, Clone, Copy, Debug)]
enum Side {
    Left,
    #[argument(rename = "r")]
    Right,
}

#[toolset]
impl Shelf {
    /// Do nothing at all.
    #[tool]
    fn idle() {}

    /// What it is.
    #[resource(uri = "device://info", name = "about", title = "About it", mime_type = "text/plain")]
    const ABOUT: &'static str = "größe \"1\"\n\u{7}😀";

    #[resource(uri = "device://logo", mime_type = "image/x-dot")]
    const LOGO: Bytes<'static> = Bytes(&[0, 1, 2, 0xFF]);

    /// What was put there.
    #[resource(uri = "device://bytes")]
    fn bytes(&self) -> Bytes<'_> {
        Bytes(&self.bytes)
    }

    #[resource(uri = "device://reads")]
    fn reads(&mut self) -> u32 {
        self.reads += 1;
        self.reads
    }

    #[resource(uri = "device://stuck")]
    fn stuck() -> Result<&'static str, String> {
        Err("the \"bus\" is stuck".to_owned())
    }

    #[resource(uri = "device://empty")]
    fn empty() -> Option<Bytes<'static>> {
        None
    }

    /// A page of the memory.
    #[resource(uri = "rom://{page}/{name}.bin", title = "A page", mime_type = "text/plain", constant)]
    fn page(name: &str, page: i8) -> Option<String> {
        (page < 5).then(|| format!("{name} on {page}"))
    }

    #[resource(uri = "lamp:{side}")]
    fn lamp(&self, side: Side) -> Result<String, &'static str> {
        match side {
            Side::Left => Ok("left".to_owned()),
            Side::Right => Err("no lamp"),
        }
    }
}

/// Has templates only, and no tools.
#[derive(Clone, Copy, Debug)]
struct Folder;

#[toolset]
impl Folder {
    #[resource(uri = "file:///{name}")]
    fn file(name: &str) -> &str {
        name
    }
}

/// Has no templates.
#[derive(Clone, Copy, Debug)]
struct Plate;

#[toolset]
impl Plate {
    #[resource(uri = "device://plate")]
    const PLATE: &'static str = "";
}

fn shelf() -> Server<Shelf, CAPACITY> {
    Server::new(INFO, Shelf::default())
}

fn folder() -> Server<Folder, CAPACITY> {
    Server::new(INFO, Folder)
}

fn plate() -> Server<Plate, CAPACITY> {
    Server::new(INFO, Plate)
}

/// The two lists: their methods, the members of their results, and what an entry is called by.
const LISTS: [(&str, &str, &str); 2] =
    [("resources/list", "resources", "uri"), ("resources/templates/list", "resourceTemplates", "uriTemplate")];

/// What the resources and the templates of the shelf are called.
const ADDRESSES: [&[&str]; 2] = [
    &["device://info", "device://logo", "device://bytes", "device://reads", "device://stuck", "device://empty"],
    &["rom://{page}/{name}.bin", "lamp:{side}"],
];

/// The entries of a list.
fn listed(peer: &mut Peer, revision: &str, (method, member, _): (&str, &str, &str)) -> Vec<Value> {
    let mut answer = peer.request_in(revision, method, &json!({}));
    match answer["result"][member].take() {
        Value::Array(entries) => entries,
        _ => panic!("{revision}: {method}: {answer}"),
    }
}

/// What comes of reading a resource.
fn read(peer: &mut Peer, revision: &str, uri: &str) -> Value {
    peer.request_in(revision, "resources/read", &json!({"uri": uri}))
}

/// The contents of a resource.
fn contents(peer: &mut Peer, revision: &str, uri: &str) -> Value {
    let mut answer = read(peer, revision, uri);
    match answer["result"]["contents"].as_array_mut().map(Vec::as_mut_slice) {
        Some([contents]) => contents.take(),
        _ => panic!("{revision}: {uri}: {answer}"),
    }
}

/// The error that a resource which is not there gets.
fn missing(revision: &str, uri: &str) -> Value {
    let code = if revision == MODERN { -32602 } else { -32002 };
    json!({"code": code, "message": "Resource not found", "data": {"uri": uri}})
}

#[test]
fn res_1_declared_resources_answer_all_three_methods() {
    for revision in ALL {
        // Variables of addresses can be completed, which 2024-11-05 has no capability for.
        let completes = revision != "2024-11-05";
        for (mut peer, completes) in [
            (client(shelf(), "none"), completes),
            (client(folder(), "none"), completes),
            (client(plate(), "none"), false),
        ] {
            let declared = match revision {
                MODERN => peer.request_in(MODERN, "server/discover", &json!({}))["result"]["capabilities"].take(),
                _ => peer.shake_hands(revision)["capabilities"].take(),
            };
            let mut expected = json!({"tools": {}, "resources": {}});
            if completes {
                expected["completions"] = json!({});
            }
            assert_eq!(declared, expected, "{revision}");
            for (method, member, _) in LISTS {
                assert!(
                    peer.request_in(revision, method, &json!({}))["result"][member].is_array(),
                    "{revision}: {method}"
                );
            }
            assert!(
                read(&mut peer, revision, "device://plate").get("result").is_some()
                    || read(&mut peer, revision, "device://plate")["error"] == missing(revision, "device://plate")
            );
        }
        let [resources, templates] = LISTS;
        assert_eq!(listed(&mut client(folder(), revision), revision, resources), [Value::Null; 0]);
        assert_eq!(listed(&mut client(plate(), revision), revision, templates), [Value::Null; 0]);
        // Without tools their list is empty too.
        assert_eq!(super::fixture::tools(&mut client(folder(), revision), revision), [Value::Null; 0]);
    }
}

#[test]
fn res_2_only_addresses_of_the_table_reach_a_function() {
    for revision in ALL {
        for uri in [
            "",
            "device",
            "device://",
            "device://inf",
            "device://info/",
            "device://info ",
            " device://info",
            "Device://info",
            "device://INFO",
            "device:/info",
            "device://info#a",
            "device://info?a",
            "device://x/../info",
            "device://info\u{0}",
            "rom://{page}/{name}.bin",
            "rom:///a.bin",
            "rom://1/.bin",
            "rom://1/a/b.bin",
            "rom://1/../a.bin",
            "file:///etc/passwd",
            "größe://info",
        ] {
            assert_eq!(
                read(&mut client(shelf(), revision), revision, uri)["error"],
                missing(revision, uri),
                "{revision}"
            );
        }
        // A variable is one segment, so no path leads out of a folder.
        for uri in ["file:///../secret", "file:///a/../../secret", "file:////secret", "file:///"]
            .into_iter()
            // Nor is what is no escape a part of an address (RFC 3986, 2.1).
            .chain(["file:///%", "file:///a%2", "file:///a%zz", "file:///a%2z", "file:///a%z2"])
        {
            assert_eq!(
                read(&mut client(folder(), revision), revision, uri)["error"],
                missing(revision, uri),
                "{revision}"
            );
        }
        for (uri, name) in [("file:///a.txt", "a.txt"), ("file:///..%2Fsecret", "..%2Fsecret")] {
            assert_eq!(contents(&mut client(folder(), revision), revision, uri)["text"], name, "{revision}");
        }
    }
    for uri in ["5", "null", "true", "[]", "{}", r#"["device://info"]"#] {
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":URI,"_meta":TAG}}"#
            .replace("URI", uri);
        expect(&ALL, &[(&line, "1 -32602")]);
    }
    expect(
        &ALL,
        &[
            (r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"_meta":TAG}}"#, "1 -32602"),
            // The same string, however it is escaped.
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"device:\/\/inf\u006f","_meta":TAG}}"#,
                "1 ok",
            ),
        ],
    );
}

#[test]
fn res_3_a_missing_resource_is_told_from_a_fault() {
    for revision in LEGACY {
        let mut peer = client(shelf(), revision);
        for uri in ["device://nope", "device://empty", "rom://5/a.bin", "lamp:up", "de\"vi\\ce\n://é😀"] {
            assert_eq!(
                read(&mut peer, revision, uri)["error"],
                json!({"code": -32002, "message": "Resource not found", "data": {"uri": uri}}),
                "{revision}"
            );
        }
    }
    for revision in ALL {
        let mut peer = client(shelf(), revision);
        assert_eq!(
            read(&mut peer, revision, "device://stuck")["error"],
            json!({"code": -32603, "message": "the \"bus\" is stuck"}),
            "{revision}"
        );
        assert_eq!(
            read(&mut peer, revision, "lamp:r")["error"],
            json!({"code": -32603, "message": "no lamp"}),
            "{revision}"
        );
    }
    // Without a session the rules are those of 2025-11-25 (ERA-12), within one a tagged request has its own.
    assert_eq!(read(&mut client(shelf(), "none"), "2025-11-25", "x:y")["error"]["code"], -32002);
    assert_eq!(read(&mut client(shelf(), "2025-03-26"), MODERN, "x:y")["error"]["code"], -32602);
    // An entry of a batch is answered alike.
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x:y"}},{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"device://info"}}]"#;
    assert_eq!(sees(&mut client(shelf(), "2025-03-26"), "2025-03-26", batch), "[1 -32002, 2 ok]");
}

#[test]
fn res_4_a_missing_resource_is_wrong_params_and_never_empty_contents() {
    for uri in ["device://nope", "device://empty", "rom://5/a.bin", "lamp:up"] {
        let answer = read(&mut client(shelf(), MODERN), MODERN, uri);
        assert_eq!(
            answer["error"],
            json!({"code": -32602, "message": "Resource not found", "data": {"uri": uri}}),
            "{answer}"
        );
    }
}

/// Base64 bit by bit.
fn base64(bytes: &[u8]) -> String {
    let bits: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
    let digit = |bits: &str| {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        char::from(alphabet[usize::from_str_radix(&format!("{bits:0<6}"), 2).unwrap()])
    };
    let mut text: String = bits.as_bytes().chunks(6).map(|bits| digit(str::from_utf8(bits).unwrap())).collect();
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}

#[test]
fn res_5_bytes_are_a_blob_in_base64_and_text_is_text() {
    for revision in ALL {
        let mut peer = client(shelf(), revision);
        assert_eq!(
            contents(&mut peer, revision, "device://info"),
            json!({"uri": "device://info", "mimeType": "text/plain", "text": "größe \"1\"\n\u{7}😀"}),
            "{revision}"
        );
        assert_eq!(
            contents(&mut peer, revision, "device://logo"),
            json!({"uri": "device://logo", "mimeType": "image/x-dot", "blob": "AAEC/w=="}),
            "{revision}"
        );
        assert_eq!(
            contents(&mut client(plate(), revision), revision, "device://plate"),
            json!({"uri": "device://plate", "text": ""}),
            "{revision}"
        );
        // RFC 4648, section 10.
        for (text, blob) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            let shelf = Shelf { bytes: text.into(), ..Shelf::default() };
            let mut peer = client(Server::<_, CAPACITY>::new(INFO, shelf), revision);
            assert_eq!(
                contents(&mut peer, revision, "device://bytes"),
                json!({"uri": "device://bytes", "blob": blob}),
                "{revision}"
            );
            assert_eq!(base64(text.as_bytes()), blob);
        }
    }
    let all: Vec<u8> = (0..=255).cycle().take(5000).collect();
    for length in [255, 256, 257, 1023, 1024, 1025, 3071, 3072, 3073, 5000] {
        let shelf = Shelf { bytes: all[..length].into(), ..Shelf::default() };
        let mut peer = client(Server::<_, CAPACITY>::new(INFO, shelf), MODERN);
        let contents = contents(&mut peer, MODERN, "device://bytes");
        assert_eq!(contents["blob"], base64(&all[..length]), "{length}");
    }
}

#[test]
fn res_6_a_read_has_one_contents_with_the_address_that_was_asked_for() {
    for revision in ALL {
        let mut peer = client(shelf(), revision);
        for uri in ["device://info", "device://logo", "device://bytes", "device://reads", "lamp:left"] {
            assert_eq!(contents(&mut peer, revision, uri)["uri"], uri, "{revision}");
        }
        for uri in ["rom://4/a.bin", "rom://-128/a%20b.bin", "rom://04/%c3%A9-_~.bin"] {
            let contents = contents(&mut peer, revision, uri);
            assert_eq!(names(&contents), ["mimeType", "text", "uri"], "{revision}");
            assert_eq!(contents["uri"], uri, "{revision}");
        }
    }
}

#[test]
fn res_7_addresses_have_a_scheme_and_no_characters_that_addresses_do_not_have() {
    for revision in ALL {
        for mut peer in [client(shelf(), revision), Peer::in_revision("board", revision)] {
            for list in LISTS {
                for entry in listed(&mut peer, revision, list) {
                    let uri = entry[list.2].as_str().unwrap();
                    let (scheme, rest) = uri.split_once(':').unwrap();
                    assert!(scheme.starts_with(|first: char| first.is_ascii_lowercase()), "{uri}");
                    assert!(!matches!(scheme, "http" | "https"), "{uri}");
                    assert!(rest.bytes().all(|byte| byte.is_ascii_graphic()), "{uri}");
                    assert_eq!(uri.contains(['{', '}']), list.2 == "uriTemplate", "{uri}");
                }
            }
        }
    }
}

#[test]
fn res_8_the_server_matches_the_addresses_of_a_template() {
    for revision in ALL {
        let mut peer = client(shelf(), revision);
        for (uri, text) in [
            ("rom://0/a.bin", "a on 0"),
            ("rom://-128/a.bin", "a on -128"),
            ("rom://4/a%20b.bin", "a%20b on 4"),
            ("rom://4/..bin", ""),
            // What is no address, and what has a meaning in one.
            ("rom://4/ß.bin", ""),
            ("rom://4/a b.bin", ""),
            ("rom://4/a\"b.bin", ""),
            ("rom://4/a%b.bin", ""),
            ("rom://4/a?b.bin", ""),
            ("rom://4/a#b.bin", ""),
            ("rom://4:5/a.bin", ""),
            ("rom://4/a.b.bin", ""),
            ("rom://127/a.bin", ""),
            ("rom://128/a.bin", ""),
            ("rom://1e0/a.bin", ""),
            ("rom://1.0/a.bin", ""),
            ("rom://+1/a.bin", ""),
            ("rom://--1/a.bin", ""),
            ("rom:// 1/a.bin", ""),
            ("rom://٢/a.bin", ""),
            ("rom://99999999999999999999999/a.bin", ""),
            ("rom://-/a.bin", ""),
            ("lamp:left", "left"),
            ("lamp:Left", ""),
            ("lamp:lef", ""),
            ("lamp:leftt", ""),
        ] {
            let answer = read(&mut peer, revision, uri);
            match text {
                "" => assert_eq!(answer["error"], missing(revision, uri)),
                text => assert_eq!(answer["result"]["contents"][0]["text"], text, "{revision}: {uri}"),
            }
        }
        let mut board = Peer::in_revision("board", revision);
        for (uri, text) in [("sensor://t0/latest", "21.5 °C"), ("sensor://t1/latest", "20.8 °C")] {
            assert_eq!(contents(&mut board, revision, uri)["text"], text, "{revision}");
        }
        assert_eq!(read(&mut board, revision, "sensor://t2/latest")["error"], missing(revision, "sensor://t2/latest"));
    }
}

#[test]
fn res_9_the_lists_do_not_depend_on_what_came_before() {
    for list in LISTS {
        let fresh = listed(&mut client(shelf(), MODERN), MODERN, list);
        for revision in LEGACY.into_iter().chain(["none"]) {
            let mut peer = client(shelf(), revision);
            assert_eq!(listed(&mut peer, MODERN, list), fresh, "{revision}");
            assert_eq!(contents(&mut peer, MODERN, "device://reads")["text"], "1", "{revision}");
            assert_eq!(listed(&mut peer, MODERN, list), fresh, "{revision}");
        }
    }
}

/// MRTR-8, MRTR-9 and MRTR-13 hold for reads as for calls.
#[test]
fn res_9_answers_that_nobody_asked_for_have_a_form_too() {
    for (members, expected) in [
        (r#""inputResponses":{},"requestState":"opaque""#, "1 ok"),
        (r#""inputResponses":null,"requestState":null"#, "1 ok"),
        (r#""inputResponses":{"a":{}}"#, "1 ok"),
        (r#""inputResponses":[]"#, "1 -32602"),
        (r#""inputResponses":{"a":5}"#, "1 -32602"),
        (r#""requestState":5"#, "1 -32602"),
    ] {
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"device://info",MEMBERS,"_meta":TAG}}"#
            .replace("MEMBERS", members);
        expect(&[MODERN], &[(&line, expected)]);
        // Not yet a member in the others, so it is ignored.
        expect(&LEGACY, &[(&line, "1 ok")]);
    }
}

#[test]
fn res_10_the_size_is_that_before_base64() {
    for revision in ALL {
        let [resources, templates] = LISTS;
        let mut peer = client(shelf(), revision);
        let sizes: Vec<_> = listed(&mut peer, revision, resources).iter().map(|entry| entry["size"].as_u64()).collect();
        assert_eq!(sizes, [Some(17), Some(4), None, None, None, None], "{revision}");
        assert_eq!(Shelf::ABOUT.len(), 17);
        for template in listed(&mut peer, revision, templates) {
            assert_eq!(template.get("size"), None, "{revision}");
        }
        assert_eq!(listed(&mut client(plate(), revision), revision, resources)[0]["size"], 0, "{revision}");
    }
}

#[test]
fn table_5_6_members_of_a_resource_and_of_a_template() {
    for revision in ALL {
        let mut peer = client(shelf(), revision);
        let mut about = json!({"uri": "device://info", "name": "about", "title": "About it", "description": "What it is.",
            "mimeType": "text/plain", "size": 17});
        let mut page = json!({"uriTemplate": "rom://{page}/{name}.bin", "name": "page", "title": "A page",
            "description": "A page of the memory.", "mimeType": "text/plain"});
        if revision < "2025-06-18" {
            for entry in [&mut about, &mut page] {
                entry.as_object_mut().unwrap().remove("title");
            }
        }
        let [resources, templates] = LISTS.map(|list| listed(&mut peer, revision, list));
        assert_eq!(resources[0], about, "{revision}");
        assert_eq!(
            resources[1],
            json!({"uri": "device://logo", "name": "logo", "mimeType": "image/x-dot", "size": 4}),
            "{revision}"
        );
        assert_eq!(
            resources[2],
            json!({"uri": "device://bytes", "name": "bytes", "description": "What was put there."}),
            "{revision}"
        );
        assert_eq!(templates, [page, json!({"uriTemplate": "lamp:{side}", "name": "lamp"})], "{revision}");
    }
}

#[test]
fn table_5_5_result_envelope_of_resources() {
    for revision in ALL {
        for (method, params, member) in [
            ("resources/list", json!({"cursor": "4"}), "resources"),
            ("resources/templates/list", json!({}), "resourceTemplates"),
            ("resources/read", json!({"uri": "device://info"}), "contents"),
            ("resources/read", json!({"uri": "device://logo"}), "contents"),
        ] {
            let answer = client(shelf().with_page_size(4), revision).request_in(revision, method, &params);
            let mut expected = if revision == MODERN {
                vec!["_meta", "cacheScope", "resultType", "ttlMs", member]
            } else {
                vec![member]
            };
            expected.sort_unstable();
            assert_eq!(names(&answer["result"]), expected, "{revision}: {method}");
        }
        let answer = client(shelf().with_page_size(4), revision).request_in(revision, "resources/list", &json!({}));
        assert_eq!(answer["result"]["nextCursor"], "4", "{revision}");
    }
}

#[test]
fn page_1_all_pages_of_resources_together_are_the_list() {
    for revision in ALL {
        for (list, addresses) in LISTS.into_iter().zip(ADDRESSES) {
            let (method, member, name) = list;
            let whole = listed(&mut client(shelf(), revision), revision, list);
            assert_eq!(whole.iter().map(|entry| entry[name].as_str().unwrap()).collect::<Vec<_>>(), addresses);
            for size in [1, 2, 4, 5, 6, 7, usize::MAX] {
                let mut peer = client(shelf().with_page_size(size), revision);
                let (mut params, mut found) = (json!({}), Vec::new());
                loop {
                    let answer = peer.request_in(revision, method, &params);
                    let entries = answer["result"][member].as_array().unwrap();
                    assert!((1..=size).contains(&entries.len()), "{revision}: {answer}");
                    found.extend(entries.clone());
                    match answer["result"].get("nextCursor") {
                        // PAGE-5
                        Some(cursor) => assert_eq!(*cursor, found.len().to_string(), "{revision}: {answer}"),
                        // PAGE-2
                        None => break,
                    }
                    params = json!({"cursor": answer["result"]["nextCursor"]});
                }
                assert_eq!(found, whole, "{revision}: {size}");
            }
        }
    }
}

#[test]
fn page_3_cursors_of_resources_are_those_given_out() {
    for revision in ALL {
        for (method, cursor, expected) in [
            ("resources/list", "\"1\"", "1 ok"),
            ("resources/list", "\"5\"", "1 ok"),
            ("resources/list", "\"6\"", "1 -32602"),
            ("resources/list", "\"0\"", "1 -32602"),
            ("resources/list", "\"\"", "1 -32602"),
            ("resources/list", "\"01\"", "1 -32602"),
            ("resources/list", "1", "1 -32602"),
            ("resources/list", "null", "1 ok"),
            ("resources/templates/list", "\"1\"", "1 ok"),
            // An index of the other list.
            ("resources/templates/list", "\"2\"", "1 -32602"),
            ("resources/templates/list", "\"6\"", "1 -32602"),
            ("resources/templates/list", "{}", "1 -32602"),
        ] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"METHOD","params":{"cursor":CURSOR,"_meta":TAG}}"#
                .replace("METHOD", method)
                .replace("CURSOR", cursor);
            let mut peer = client(shelf().with_page_size(1), revision);
            for _ in 0..2 {
                assert_eq!(sees(&mut peer, revision, &line), expected, "{revision}: {method}: {cursor}");
            }
            // On a single page none is one, and in an empty list neither.
            if cursor != "null" {
                assert_eq!(sees(&mut client(shelf(), revision), revision, &line), "1 -32602", "{revision}: {cursor}");
                for mut peer in
                    [client(folder().with_page_size(1), revision), client(plate().with_page_size(1), revision)]
                {
                    assert_eq!(sees(&mut peer, revision, &line), "1 -32602", "{revision}: {method}: {cursor}");
                }
            }
        }
    }
}

#[test]
fn cache_1_results_about_resources_say_how_long_and_for_whom() {
    for (method, params) in [
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": "device://info"})),
        ("resources/read", json!({"uri": "device://bytes"})),
    ] {
        let answer = client(shelf(), MODERN).request_in(MODERN, method, &params);
        assert!(answer["result"]["ttlMs"].is_u64(), "{answer}");
        assert!(["public", "private"].contains(&answer["result"]["cacheScope"].as_str().unwrap()), "{answer}");
        for revision in LEGACY {
            let answer = client(shelf(), revision).request(method, &params);
            assert_eq!(answer["result"].get("ttlMs"), None, "{revision}");
            assert_eq!(answer["result"].get("cacheScope"), None, "{revision}");
        }
    }
    // Errors have no such members.
    let answer = read(&mut client(shelf(), MODERN), MODERN, "device://nope");
    assert_eq!(names(&answer), ["error", "id", "jsonrpc"]);
}

#[test]
fn cache_2_all_pages_of_resources_have_the_same_scope() {
    for (method, cursors) in [("resources/list", 6), ("resources/templates/list", 2)] {
        let mut peer = client(shelf().with_page_size(1), MODERN);
        for at in 0..cursors {
            let params = if at == 0 { json!({}) } else { json!({"cursor": at.to_string()}) };
            assert_eq!(peer.request_in(MODERN, method, &params)["result"]["cacheScope"], "public", "{method}: {at}");
        }
    }
}

#[test]
fn cache_5_constants_hold_for_a_day_and_readings_not_at_all() {
    let caching = |method: &str, uri: &str| {
        let answer = client(shelf(), MODERN).request_in(MODERN, method, &json!({"uri": uri}));
        let result = &answer["result"];
        (result["ttlMs"].as_u64().unwrap(), result["cacheScope"].as_str().unwrap().to_owned())
    };
    for (method, uri) in [
        ("resources/list", ""),
        ("resources/templates/list", ""),
        ("resources/read", "device://info"),
        ("resources/read", "device://logo"),
        // A function that says `constant`.
        ("resources/read", "rom://1/a.bin"),
    ] {
        assert_eq!(caching(method, uri), (86_400_000, "public".to_owned()), "{method} {uri}");
    }
    for uri in ["device://bytes", "device://reads", "lamp:left"] {
        assert_eq!(caching("resources/read", uri), (0, "private".to_owned()), "{uri}");
    }
}

/// A reading is made anew each time.
#[test]
fn res_9_a_read_is_never_answered_from_memory() {
    for revision in ALL {
        let mut peer = client(shelf(), revision);
        for reads in ["1", "2", "3"] {
            assert_eq!(contents(&mut peer, revision, "device://reads")["text"], reads, "{revision}");
        }
        let notification =
            r#"{"jsonrpc":"2.0","method":"resources/read","params":{"uri":"device://reads","_meta":TAG}}"#;
        assert_eq!(peer.send(expand(revision, notification).as_bytes()), [""; 0]);
        assert_eq!(contents(&mut peer, revision, "device://reads")["text"], "4", "{revision}");
    }
}
