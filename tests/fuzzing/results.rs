//! What results look like (PROTOCOL 5.5 to 5.7).

use serde_json::{Value, json};

use crate::messages::check_question;
use crate::oracle::{Asked, Oracle, Request};
use crate::wire::Question;

/// A function that shows what is judged.
type Shown<'a> = &'a dyn Fn() -> String;

/// The members of a result that were not accounted for yet.
struct Members<'a> {
    names: Vec<&'a str>,
    shown: Shown<'a>,
}

impl Members<'_> {
    /// Accounts for a member that must be there, or must not.
    fn take(&mut self, name: &str, present: bool) {
        let at = self.names.iter().position(|found| *found == name);
        assert_eq!(at.is_some(), present, "{name}: {}", (self.shown)());
        at.map(|at| self.names.remove(at));
    }

    fn take_all(&mut self, names: &[&str]) {
        names.iter().for_each(|name| self.take(name, true));
    }
}

/// Checks the result of a request.
pub(crate) fn check(result: &Value, request: &Request, oracle: &Oracle, shown: Shown<'_>) {
    let names = result.as_object().unwrap().keys().map(String::as_str).collect();
    let mut members = Members { names, shown };
    let (method, modern) = (&*request.method, request.is_modern());
    members.take("resultType", modern);
    members.take("_meta", modern);
    if modern {
        assert!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"].is_string(), "META-8: {}", shown());
    }
    if modern && result["resultType"] == "input_required" {
        check_input_required(result, request, oracle, shown);
        members.take("inputRequests", true);
        members.take("requestState", result.get("requestState").is_some());
    } else {
        assert!(!modern || result["resultType"] == "complete", "{}", shown());
        let cached = modern && (method.ends_with("/list") || matches!(method, "resources/read" | "server/discover"));
        members.take("ttlMs", cached);
        members.take("cacheScope", cached);
        if cached {
            assert!(result["ttlMs"].as_u64().is_some(), "{}", shown());
            assert!(matches!(result["cacheScope"].as_str(), Some("public" | "private")), "{}", shown());
        }
        check_complete(result, request, oracle, &mut members);
    }
    assert!(members.names.is_empty(), "members that nobody defined: {:?} {}", members.names, shown());
}

fn check_complete(result: &Value, request: &Request, oracle: &Oracle, members: &mut Members<'_>) {
    let (revision, shown) = (request.revision, members.shown);
    match &*request.method {
        "ping" | "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe" => {}
        "initialize" => {
            members.take_all(&["protocolVersion", "capabilities", "serverInfo"]);
            members.take("instructions", result.get("instructions").is_some());
            let version = oracle.session().unwrap();
            assert_eq!(result["protocolVersion"], version, "{}", shown());
            assert_eq!(result["capabilities"], oracle.declared().capabilities(version), "INIT-4: {}", shown());
        }
        "server/discover" => {
            members.take_all(&["supportedVersions", "capabilities"]);
            members.take("instructions", result.get("instructions").is_some());
            assert_eq!(result["supportedVersions"], json!(["2026-07-28"]), "META-4: {}", shown());
            assert_eq!(result["capabilities"], oracle.declared().capabilities(revision), "DISC-4: {}", shown());
        }
        "tools/list" => {
            for tool in list(result, "tools", members) {
                check_tool(tool, revision, shown);
            }
        }
        "resources/list" | "resources/templates/list" => {
            let name = if request.method == "resources/list" { "resources" } else { "resourceTemplates" };
            for resource in list(result, name, members) {
                check_resource(resource, revision, shown);
            }
        }
        "resources/read" => {
            members.take("contents", true);
            let [contents] = &result["contents"].as_array().unwrap()[..] else { panic!("contents: {}", shown()) };
            assert_eq!(contents["uri"], request.params["uri"], "{}", shown());
            check_contents(contents, shown);
        }
        "prompts/list" => {
            let listed = list(result, "prompts", members).iter().map(|prompt| prompt["name"].as_str().unwrap());
            let names = oracle.page(request, oracle.offer().prompts.iter().map(|(name, _)| *name));
            assert_eq!(listed.collect::<Vec<_>>(), names, "{}", shown());
        }
        "prompts/get" => {
            members.take_all(&["description", "messages"]);
            check_agreed(request, oracle, shown);
            for message in result["messages"].as_array().unwrap() {
                assert!(matches!(message["role"].as_str(), Some("user" | "assistant")), "{}", shown());
                check_block(&message["content"], revision, shown);
            }
        }
        "completion/complete" => {
            members.take("completion", true);
            let values = result["completion"]["values"].as_array().unwrap();
            assert!(values.len() <= 100 && values.iter().all(Value::is_string), "COMP-2: {}", shown());
        }
        "tools/call" => check_call(result, request, oracle, members),
        method => panic!("a result for {method}: {}", shown()),
    }
}

/// The entries of a page.
fn list<'r>(result: &'r Value, name: &str, members: &mut Members<'_>) -> &'r [Value] {
    members.take(name, true);
    members.take("nextCursor", result.get("nextCursor").is_some());
    result[name].as_array().unwrap()
}

/// CALL-1, CALL-4, CALL-5
fn check_call(result: &Value, request: &Request, oracle: &Oracle, members: &mut Members<'_>) {
    let shown = members.shown;
    members.take_all(&["content", "isError"]);
    let failed = result["isError"].as_bool().unwrap();
    let content = result["content"].as_array().unwrap();
    content.iter().for_each(|block| check_block(block, request.revision, shown));
    let promised = request.tool().is_some_and(|tool| oracle.declared().is_structured(tool));
    let structured = promised && !failed && request.revision >= "2025-06-18";
    members.take("structuredContent", structured);
    if structured {
        let text = content[0]["text"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), result["structuredContent"], "CALL-4: {}", shown());
        assert!(request.is_modern() || result["structuredContent"].is_object(), "5.6: {}", shown());
    }
    if !failed {
        check_agreed(request, oracle, shown);
    }
}

/// MRTR-10: nothing is done unless the user has agreed to it.
fn check_agreed(request: &Request, oracle: &Oracle, shown: Shown<'_>) {
    assert!(matches!(oracle.asked(request), Asked::Agreed), "MRTR-10: {}", shown());
}

/// MRTR-1 to MRTR-4, and MRTR-8: what fits is not asked for again.
fn check_input_required(result: &Value, request: &Request, oracle: &Oracle, shown: Shown<'_>) {
    let Asked::Open(&Question { key, .. }) = oracle.asked(request) else { panic!("MRTR-8: no question: {}", shown()) };
    assert!(oracle.can_be_asked(request), "MRTR-4: {}", shown());
    let requests = result["inputRequests"].as_object().unwrap();
    assert!(requests.len() == 1 && requests.contains_key(key), "{key}: {}", shown());
    let question = requests[key].as_object().unwrap();
    assert!(question.len() == 2 && requests[key]["params"].is_object(), "MRTR-3: {}", shown());
    check_question(&requests[key]["method"], &requests[key]["params"], request.revision, shown);
}

/// Checks an error in the place of a result: that there was something to ask and it could not be (CALL-11, META-9), or that
/// the user did not want to answer, and a prompt has no other way to tell.
pub(crate) fn check_unanswered(found: &Value, request: &Request, oracle: &Oracle, shown: Shown<'_>) {
    let asked = oracle.asked(request);
    let cannot = matches!(asked, Asked::Open(_)) && !oracle.can_be_asked(request);
    let error = &found["error"];
    if cannot && request.is_modern() {
        assert_eq!(error["code"], -32021, "{}", shown());
        assert_eq!(error["data"]["requiredCapabilities"], json!({"elicitation": {"form": {}}}), "{}", shown());
    } else {
        assert!(cannot || matches!(asked, Asked::Refused), "no result: {}", shown());
        assert!(request.method == "prompts/get" && error["code"] == -32603, "{}", shown());
    }
}

/// Checks a block of content: table 5.7, GATE-2.
fn check_block(block: &Value, revision: &str, shown: Shown<'_>) {
    let expected = match block["type"].as_str() {
        Some("text") => json!({"type": "text", "text": block["text"]}),
        Some(kind @ ("image" | "audio")) if kind == "image" || revision >= "2025-03-26" => {
            json!({"type": kind, "data": block["data"], "mimeType": block["mimeType"]})
        }
        Some("resource") => {
            check_contents(&block["resource"], shown);
            json!({"type": "resource", "resource": block["resource"]})
        }
        Some("resource_link") if revision >= "2025-06-18" => {
            json!({"type": "resource_link", "uri": block["uri"], "name": block["name"]})
        }
        _ => panic!("a block that {revision} does not have: {}", shown()),
    };
    assert_eq!(*block, expected, "{}", shown());
    let leaves = expected.as_object().unwrap().values();
    assert!(leaves.into_iter().all(|leaf| leaf.is_string() || leaf.is_object()), "{}", shown());
}

/// RES-5
fn check_contents(contents: &Value, shown: Shown<'_>) {
    for (name, value) in contents.as_object().unwrap() {
        assert!(matches!(&**name, "uri" | "mimeType" | "text" | "blob") && value.is_string(), "{name}: {}", shown());
    }
    assert!(contents["uri"].is_string(), "{}", shown());
    assert!(contents["text"].is_string() != contents["blob"].is_string(), "{}", shown());
}

/// GATE-1, RES-10
fn check_resource(resource: &Value, revision: &str, shown: Shown<'_>) {
    let uri = resource.get("uri").or_else(|| resource.get("uriTemplate"));
    assert!(uri.is_some_and(Value::is_string) && resource["name"].is_string(), "{}", shown());
    assert!(resource.get("size").is_none_or(Value::is_u64), "{}", shown());
    assert!(resource.get("title").is_none() || revision >= "2025-06-18", "{}", shown());
}

/// GATE-1: a member is sent only to revisions that define it.
fn check_tool(tool: &Value, revision: &str, shown: Shown<'_>) {
    assert!(tool["name"].is_string() && tool["description"].is_string(), "{}", shown());
    assert_eq!(tool["inputSchema"]["type"], "object", "{}", shown());
    assert!(tool["inputSchema"]["properties"].is_object(), "{}", shown());
    // Revisions are dates, so their order is that of their names.
    assert!(tool.get("annotations").is_none() || revision >= "2025-03-26", "{}", shown());
    assert!(tool.get("title").is_none() || revision >= "2025-06-18", "{}", shown());
    if let Some(output) = tool.get("outputSchema") {
        assert!(revision >= "2025-06-18" && (revision == "2026-07-28" || output["type"] == "object"), "{}", shown());
    }
}
