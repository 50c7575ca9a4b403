//! `#[toolset]` on an `impl` block.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Ident, ImplItem, Item, ItemImpl, Lifetime, Path, parse_quote};

use crate::errors::Errors;
use crate::naming;
use crate::options::Options;
use crate::prompt::{self, Prompt};
use crate::property::local;
use crate::resource::{self, Resource};
use crate::tool::{self, Tool, conditions};

/// Expands `#[toolset(options)]` on an item.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut toolset = Options::new("toolset", &["logging", "crate"]);
    toolset.parse(options, &mut errors);
    let root = toolset.root(&mut errors);
    let logging = toolset.flag("logging", &mut errors).unwrap_or(false);
    match errors.keep(syn::parse2(item.clone())) {
        Some(Item::Impl(block)) => expand_block(block, logging, &root, errors),
        Some(other) => {
            errors.refuse(place(&other), "`#[toolset]` goes on an `impl` block");
            quote!(#errors #item)
        }
        None => quote!(#errors #item),
    }
}

/// What a block offers.
#[derive(Default)]
struct Offer {
    tools: Vec<Tool>,
    resources: Vec<Resource>,
    prompts: Vec<Prompt>,
    logging: bool,
}

fn expand_block(mut block: ItemImpl, logging: bool, root: &Path, mut errors: Errors) -> TokenStream {
    let mut offer = validate(&mut block, &mut errors);
    if block.trait_.is_some() {
        return quote!(#errors #block);
    }
    if !errors.is_empty() {
        offer = Offer::default();
    }
    offer.logging = logging;
    let implementation = codegen(&block, &offer, root);
    let evaluation = evaluation(&block, root);
    quote!(#errors #block #implementation #evaluation)
}

/// Takes the attributes out of the block, and refuses what cannot be what they say.
fn validate(block: &mut ItemImpl, errors: &mut Errors) -> Offer {
    if let Some((_, path, _)) = &block.trait_ {
        errors.refuse(path, "`#[toolset]` goes on an inherent `impl` block, not on that of a trait");
    }
    let mut found = false;
    let mut offer = Offer::default();
    for item in &mut block.items {
        let [tool, resource, prompt] = ["tool", "resource", "prompt"].map(|name| take(item, name));
        let mut kinds = [&tool, &resource, &prompt].into_iter().filter_map(|marks| marks.first());
        let Some(mark) = kinds.next() else { continue };
        found = true;
        if let Some(second) = kinds.next() {
            errors.refuse(second, "a function is a tool, a resource or a prompt");
            continue;
        }
        match item {
            ImplItem::Fn(function) if !tool.is_empty() => offer.tools.push(tool::validate(function, &tool, errors)),
            ImplItem::Fn(function) if !prompt.is_empty() => {
                offer.prompts.push(prompt::validate(function, &prompt, errors));
            }
            ImplItem::Fn(function) => offer.resources.push(resource::of_function(function, &resource, errors)),
            ImplItem::Const(constant) if !resource.is_empty() => {
                offer.resources.push(resource::of_constant(constant, &resource, errors));
            }
            _ if !tool.is_empty() => errors.refuse(mark, "`#[tool]` goes on a function"),
            _ if !prompt.is_empty() => errors.refuse(mark, "`#[prompt]` goes on a function"),
            _ => errors.refuse(mark, "`#[resource(..)]` goes on a function or a constant"),
        }
    }
    if !found && block.trait_.is_none() {
        errors.refuse(
            &block.self_ty,
            "a toolset needs something to offer: mark a function with `#[tool]`, `#[resource(..)]` or `#[prompt]`",
        );
    }
    distinct(&offer.tools, errors);
    resource::distinct(&offer.resources, errors);
    let prompts = offer.prompts.iter().filter(|prompt| prompt.conditions.is_empty());
    naming::distinct("a prompt", prompts.map(|prompt| &prompt.name), errors);
    offer
}

/// Removes the attributes of one name from an item.
fn take(item: &mut ImplItem, name: &str) -> Vec<Attribute> {
    let is_mark = |attribute: &mut Attribute| marks(attribute, name);
    match item {
        ImplItem::Const(item) => item.attrs.extract_if(.., is_mark).collect(),
        ImplItem::Fn(item) => item.attrs.extract_if(.., is_mark).collect(),
        ImplItem::Type(item) => item.attrs.extract_if(.., is_mark).collect(),
        ImplItem::Macro(item) => item.attrs.extract_if(.., is_mark).collect(),
        _ => Vec::new(),
    }
}

/// Whether an attribute is `#[name]` or `#[toolwire::name]`.
fn marks(attribute: &Attribute, name: &str) -> bool {
    let segments = &attribute.path().segments;
    segments.last().is_some_and(|last| last.ident == name)
        && (segments.len() == 1
            || segments.len() == 2 && segments.first().is_some_and(|first| first.ident == "toolwire"))
}

/// Refuses a name that another tool has. One function may stand there twice, under opposite conditions.
fn distinct(tools: &[Tool], errors: &mut Errors) {
    let mut names = Vec::new();
    let mut functions = Vec::new();
    for tool in tools {
        if !functions.contains(&&tool.function) {
            functions.push(&tool.function);
            names.push(&tool.name);
        }
    }
    naming::distinct("a tool", names, errors);
}

/// The part of an item that names it, as a place for a refusal.
fn place(item: &Item) -> TokenStream {
    match item {
        Item::Struct(item) => item.ident.to_token_stream(),
        Item::Enum(item) => item.ident.to_token_stream(),
        Item::Fn(item) => item.sig.ident.to_token_stream(),
        Item::Mod(item) => item.ident.to_token_stream(),
        Item::Trait(item) => item.ident.to_token_stream(),
        other => other.to_token_stream(),
    }
}

impl Offer {
    /// Whether some of its functions may wait.
    fn is_async(&self) -> bool {
        self.tools.iter().any(|tool| tool.is_async)
            || self.resources.iter().any(Resource::is_async)
            || self.prompts.iter().any(|prompt| prompt.is_async)
    }
}

/// The implementations of `Catalog`, and of `Toolset` or `AsyncToolset`.
fn codegen(block: &ItemImpl, offer: &Offer, root: &Path) -> TokenStream {
    let (generics, _, bounds) = block.generics.split_for_impl();
    let (ty, conditions) = (&block.self_ty, conditions(&block.attrs));
    let may_wait = offer.is_async();
    let (table, tools) = (codegen_table(&offer.tools, root), codegen_tools(&offer.tools, may_wait, root));
    let resources = codegen_resources(&offer.resources, may_wait, root);
    let prompts = codegen_prompts(&offer.prompts, may_wait, root);
    let toolset = Ident::new(if may_wait { "AsyncToolset" } else { "Toolset" }, Span::call_site());
    let features = codegen_features(offer, root);
    quote! {
        #(#conditions)*
        #[automatically_derived]
        impl #generics #root::Catalog for #ty #bounds {
            #table
            #features
        }

        #(#conditions)*
        #[automatically_derived]
        impl #generics #root::#toolset for #ty #bounds {
            #tools
            #resources
            #prompts
        }
    }
}

fn codegen_table(tools: &[Tool], root: &Path) -> TokenStream {
    let entries = tools.iter().map(|tool| tool.entry(root));
    quote!(const TOOLS: &'static [#root::tool::Tool] = &[#(#entries),*];)
}

fn codegen_tools(tools: &[Tool], may_wait: bool, root: &Path) -> TokenStream {
    let [index, arguments, context] = ["index", "arguments", "context"].map(local);
    let text = tools.iter().any(|tool| tool.may_be_text()).then(|| quote!(use #root::tool::returned::*;));
    let (positions, patterns) = patterns(tools.iter().map(|tool| &*tool.conditions));
    let arms = tools.iter().zip(patterns).map(|(tool, pattern)| tool.arm(&pattern, may_wait, root));
    let asyncness = may_wait.then(|| quote!(async));
    quote! {
        #asyncness fn call(
            &mut self,
            #index: usize,
            #arguments: &#root::tool::Arguments<'_>,
            #context: #root::Context<'_>,
        ) -> #root::tool::Replied {
            #text
            #positions
            match #index {
                #(#arms)*
                _ => #context.internal_error(),
            }
        }
    }
}

/// The table of what the toolset has besides tools. Nothing for one that has tools only.
fn codegen_features(offer: &Offer, root: &Path) -> TokenStream {
    let Offer { resources, prompts, .. } = offer;
    if resources.is_empty() && prompts.is_empty() && !offer.logging {
        return TokenStream::new();
    }
    let completes = resources.iter().any(Resource::has_variables) || prompts.iter().any(Prompt::has_arguments);
    let (has_resources, has_prompts) = (!resources.is_empty(), !prompts.is_empty());
    let [resource_table, prompt_table] = ["RESOURCES", "PROMPTS"].map(local);
    let (resources, prompts) =
        (resources.iter().map(|resource| resource.entry(root)), prompts.iter().map(|prompt| prompt.entry(root)));
    let feature = quote!(#root::tool::Feature);
    let features = [
        has_resources.then(|| quote!(#feature::resources(#resource_table))),
        has_prompts.then(|| quote!(#feature::prompts(#prompt_table))),
        offer.logging.then(|| quote!(#feature::LOGGING)),
        completes.then(|| quote!(#feature::completions(#prompt_table, #resource_table))),
    ];
    let features = features.iter().flatten();
    // In blocks of their own, since what stands behind a reference there is static even if it must be computed.
    quote! {
        const FEATURES: &'static [#feature] = {
            let #resource_table: &'static [#root::resource::Resource] = const { &[#(#resources),*] };
            let #prompt_table: &'static [#root::prompt::Prompt] = const { &[#(#prompts),*] };
            &[#(#features),*]
        };
    }
}

/// Nothing for a toolset without prompts.
fn codegen_prompts(prompts: &[Prompt], may_wait: bool, root: &Path) -> TokenStream {
    if prompts.is_empty() {
        return TokenStream::new();
    }
    let [index, arguments, prompting] = ["index", "arguments", "prompting"].map(local);
    let (positions, patterns) = patterns(prompts.iter().map(|prompt| &*prompt.conditions));
    let arms = prompts.iter().zip(patterns).map(|(prompt, pattern)| prompt.arm(&pattern, may_wait, root));
    let asyncness = may_wait.then(|| quote!(async));
    quote! {
        #asyncness fn prompt(
            &mut self,
            #index: usize,
            #arguments: &#root::prompt::TextArguments<'_>,
            #prompting: #root::prompt::Prompting<'_>,
        ) -> #root::tool::Replied {
            use #root::prompt::returned::*;
            let _ = #arguments;
            #positions
            match #index {
                #(#arms)*
                _ => #prompting.internal_error(),
            }
        }
    }
}

/// Nothing for a toolset without resources.
fn codegen_resources(resources: &[Resource], may_wait: bool, root: &Path) -> TokenStream {
    if resources.is_empty() {
        return TokenStream::new();
    }
    let [index, variables, reading] = ["index", "variables", "reading"].map(local);
    let (positions, patterns) = patterns(resources.iter().map(|resource| &*resource.conditions));
    let arms = resources.iter().zip(patterns).map(|(resource, pattern)| resource.arm(&pattern, may_wait, root));
    let (asyncness, mutability) = (may_wait.then(|| quote!(async)), may_wait.then(|| quote!(mut)));
    quote! {
        #asyncness fn read(
            &mut self,
            #index: usize,
            #variables: &#root::resource::Variables<'_>,
            #mutability #reading: #root::resource::Reading<'_>,
        ) -> #root::tool::Replied {
            use #root::resource::Sent as _;
            let _ = #variables;
            #positions
            match #index {
                #(#arms)*
                _ => #reading.internal_error(),
            }
        }
    }
}

/// A constant that makes the compiler evaluate the table where it stands, so that limits that do not fit are refused even
/// if nothing uses the toolset yet. With type parameters that is not possible.
fn evaluation(block: &ItemImpl, root: &Path) -> Option<TokenStream> {
    if block.generics.type_params().next().is_some() || block.generics.const_params().next().is_some() {
        return None;
    }
    let (mut ty, conditions) = (block.self_ty.clone(), conditions(&block.attrs));
    Inferred.visit_type_mut(&mut ty);
    Some(quote! {
        #(#conditions)*
        const _: &[#root::tool::Tool] = <#ty as #root::Catalog>::TOOLS;
    })
}

/// Leaves every lifetime of a type to be inferred.
struct Inferred;

impl VisitMut for Inferred {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        *lifetime = parse_quote!('_);
    }
}

/// The patterns that match the positions of items in their table, given their conditions, and the constants that they name
/// if some items are there on a condition only.
fn patterns<'a>(conditions: impl Iterator<Item = &'a [Attribute]>) -> (TokenStream, Vec<TokenStream>) {
    let conditions: Vec<_> = conditions.collect();
    if conditions.iter().all(|conditions| conditions.is_empty()) {
        let patterns = (0..conditions.len()).map(|position| position.to_token_stream()).collect();
        return (TokenStream::new(), patterns);
    }
    let names: Vec<_> = (0..conditions.len()).map(|position| local(&format!("POSITION_{position}"))).collect();
    let mut next = quote!(0);
    let mut constants = TokenStream::new();
    for (conditions, name) in conditions.iter().zip(&names) {
        constants.extend(quote!(const #name: usize = #next;));
        let predicates = conditions.iter().filter_map(|condition| condition.parse_args::<TokenStream>().ok());
        next = quote!(if ::core::cfg!(all(#(#predicates),*)) { #name + 1 } else { #name });
    }
    (constants, names.iter().map(|name| quote!(#name)).collect())
}
