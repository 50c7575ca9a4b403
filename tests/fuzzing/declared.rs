//! What a server says of itself: the oracle takes from here what depends on the capabilities of a toolset.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde_json::{Map, Value, json};

use crate::wire::{Demo, Question, lines};

/// What a server of a demo toolset declares.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    capabilities: Map<String, Value>,
    /// The tools that promise structured results.
    structured: Vec<String>,
    /// The forms of questions.
    forms: Vec<(&'static Question, Value)>,
}

impl Declared {
    /// What servers of that toolset declare: one is asked, once.
    pub(crate) fn of(demo: Demo) -> &'static Self {
        static KNOWN: Mutex<BTreeMap<u8, &Declared>> = Mutex::new(BTreeMap::new());
        let mut known = KNOWN.lock().unwrap();
        known.entry(demo.large().letter()).or_insert_with(|| Box::leak(Box::new(Self::ask(demo))))
    }

    /// Asks a new server. What it declares is what its toolset has (INIT-4, DISC-4).
    fn ask(demo: Demo) -> Self {
        let mut answers = ask(demo, &[request("server/discover", &json!({})), request("tools/list", &json!({}))]);
        let (tools, discovered) = (answers.pop().unwrap(), answers.pop().unwrap());
        let Value::Object(capabilities) = discovered["result"]["capabilities"].clone() else {
            panic!("DISC-2: {discovered}")
        };
        let known = ["tools", "resources", "prompts", "completions", "logging"];
        assert!(capabilities.keys().all(|name| known.contains(&&**name)), "{discovered}");
        assert!(capabilities.values().all(|declared| declared.as_object().unwrap().values().all(|flag| flag == true)));
        let offer = demo.offer();
        for (name, is_there) in [
            ("tools", true),
            ("resources", !(offer.resources.is_empty() && offer.templates.is_empty())),
            ("prompts", !offer.prompts.is_empty()),
        ] {
            assert_eq!(capabilities.contains_key(name), is_there, "{name}: {discovered}");
        }
        let structured = tools["result"]["tools"].as_array().unwrap().iter();
        let structured = structured.filter(|tool| tool.get("outputSchema").is_some());
        let structured = structured.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
        let forms = offer.questions.iter().map(|question| (question, ask_form(demo, question))).collect();
        Self { capabilities, structured, forms }
    }

    /// All of it, as a revision has it.
    pub(crate) fn capabilities(&self, revision: &str) -> Value {
        let mut capabilities = self.capabilities.clone();
        if revision == "2024-11-05" {
            capabilities.remove("completions");
        }
        capabilities.into()
    }

    pub(crate) fn has(&self, capability: &str) -> bool {
        self.capabilities.contains_key(capability)
    }

    /// Whether a capability has a flag: `listChanged`, `subscribe`.
    pub(crate) fn flag(&self, capability: &str, flag: &str) -> bool {
        self.capabilities.get(capability).is_some_and(|declared| declared[flag] == true)
    }

    /// Whether there is anything to listen to (LISTEN-11).
    pub(crate) fn listens(&self) -> bool {
        let changes = ["tools", "resources", "prompts"].iter().any(|name| self.flag(name, "listChanged"));
        changes || self.flag("resources", "subscribe")
    }

    /// Whether a tool promises structured results.
    pub(crate) fn is_structured(&self, tool: &str) -> bool {
        self.structured.iter().any(|name| name == tool)
    }

    /// The form of a question.
    pub(crate) fn form(&self, question: &'static Question) -> &Value {
        let form = self.forms.iter().find(|(known, _)| std::ptr::eq(*known, question));
        form.map_or(&Value::Null, |(_, form)| form)
    }
}

/// The form of a question, told by a new server.
fn ask_form(demo: Demo, question: &Question) -> Value {
    let Question { asker, name, key, arguments, state } = question;
    let arguments: Value = serde_json::from_str(arguments).unwrap();
    let params = json!({"name": name, "arguments": arguments, "requestState": state});
    let mut answers = ask(demo, &[request(asker.method(), &params)]);
    let form = answers[0]["result"]["inputRequests"][key]["params"]["requestedSchema"].take();
    assert!(form.is_object(), "{name} does not ask for {key}: {answers:?}");
    form
}

/// A modern request of a client that can show forms.
fn request(method: &str, params: &Value) -> Value {
    let mut params = params.clone();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    });
    json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params})
}

/// The answers of a new server that has room for all of them.
fn ask(demo: Demo, requests: &[Value]) -> Vec<Value> {
    let text: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let output = demo.large().output(text.as_bytes(), &[usize::MAX]);
    lines(&output).iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}
