//! `#[toolset]` on an `impl` block.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::visit_mut::VisitMut;
use syn::{Attribute, ImplItem, Item, ItemImpl, Lifetime, Path, parse_quote};

use crate::errors::Errors;
use crate::naming;
use crate::options::Options;
use crate::property::local;
use crate::tool::{self, Tool, conditions};

/// Expands `#[toolset(options)]` on an item.
pub(crate) fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut toolset = Options::new("toolset", &["crate"]);
    toolset.parse(options, &mut errors);
    let root = toolset.root(&mut errors);
    match errors.keep(syn::parse2(item.clone())) {
        Some(Item::Impl(block)) => expand_block(block, &root, errors),
        Some(other) => {
            errors.refuse(place(&other), "`#[toolset]` goes on an `impl` block");
            quote!(#errors #item)
        }
        None => quote!(#errors #item),
    }
}

fn expand_block(mut block: ItemImpl, root: &Path, mut errors: Errors) -> TokenStream {
    let mut tools = validate(&mut block, &mut errors);
    if block.trait_.is_some() {
        return quote!(#errors #block);
    }
    if !errors.is_empty() {
        tools.clear();
    }
    let implementation = codegen(&block, &tools, root);
    let evaluation = evaluation(&block, root);
    quote!(#errors #block #implementation #evaluation)
}

/// Takes the tools' attributes out of the block, and refuses what cannot be a tool.
fn validate(block: &mut ItemImpl, errors: &mut Errors) -> Vec<Tool> {
    if let Some((_, path, _)) = &block.trait_ {
        errors.refuse(path, "`#[toolset]` goes on an inherent `impl` block, not on that of a trait");
    }
    let mut found = false;
    let mut tools = Vec::new();
    for item in &mut block.items {
        let marks = take(item, is_tool);
        let Some(mark) = marks.first() else { continue };
        found = true;
        match item {
            ImplItem::Fn(function) => tools.push(tool::validate(function, &marks, errors)),
            _ => errors.refuse(mark, "`#[tool]` goes on a function"),
        }
    }
    if !found && block.trait_.is_none() {
        errors.refuse(&block.self_ty, "a toolset needs a tool: mark a function with `#[tool]`");
    }
    distinct(&tools, errors);
    tools
}

/// Removes the attributes of one kind from an item.
fn take(item: &mut ImplItem, kind: fn(&Attribute) -> bool) -> Vec<Attribute> {
    match item {
        ImplItem::Const(item) => item.attrs.extract_if(.., |attribute| kind(attribute)).collect(),
        ImplItem::Fn(item) => item.attrs.extract_if(.., |attribute| kind(attribute)).collect(),
        ImplItem::Type(item) => item.attrs.extract_if(.., |attribute| kind(attribute)).collect(),
        ImplItem::Macro(item) => item.attrs.extract_if(.., |attribute| kind(attribute)).collect(),
        _ => Vec::new(),
    }
}

/// Whether an attribute is `#[tool]` or `#[toolwire::tool]`.
fn is_tool(attribute: &Attribute) -> bool {
    let segments = &attribute.path().segments;
    segments.last().is_some_and(|last| last.ident == "tool")
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

/// The implementation of `Toolset`.
fn codegen(block: &ItemImpl, tools: &[Tool], root: &Path) -> TokenStream {
    let (generics, _, bounds) = block.generics.split_for_impl();
    let (ty, conditions) = (&block.self_ty, conditions(&block.attrs));
    let entries = tools.iter().map(|tool| tool.entry(root));
    let [index, arguments, context, reply] = ["index", "arguments", "context", "reply"].map(local);
    let text = tools.iter().any(|tool| tool.may_be_text()).then(|| quote!(use #root::tool::Text as _;));
    let (positions, patterns) = patterns(tools);
    let arms = tools.iter().zip(patterns).map(|(tool, pattern)| tool.arm(&pattern, root));
    quote! {
        #(#conditions)*
        #[automatically_derived]
        impl #generics #root::Toolset for #ty #bounds {
            const TOOLS: &'static [#root::tool::Tool] = &[#(#entries),*];

            fn call(
                &mut self,
                #index: usize,
                #arguments: &#root::tool::Arguments<'_>,
                #context: &mut #root::Context<'_>,
                #reply: #root::Reply<'_>,
            ) -> #root::tool::Replied {
                #text
                #positions
                match #index {
                    #(#arms)*
                    _ => #reply.internal_error(),
                }
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
        const _: &[#root::tool::Tool] = <#ty as #root::Toolset>::TOOLS;
    })
}

/// Leaves every lifetime of a type to be inferred.
struct Inferred;

impl VisitMut for Inferred {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        *lifetime = parse_quote!('_);
    }
}

/// The patterns that match the tools' positions in the table, and the constants that they name if some tools are there
/// on a condition only.
fn patterns(tools: &[Tool]) -> (TokenStream, Vec<TokenStream>) {
    if tools.iter().all(|tool| tool.conditions.is_empty()) {
        let patterns = (0..tools.len()).map(|position| position.to_token_stream()).collect();
        return (TokenStream::new(), patterns);
    }
    let names: Vec<_> = (0..tools.len()).map(|position| local(&format!("POSITION_{position}"))).collect();
    let mut next = quote!(0);
    let mut constants = TokenStream::new();
    for (tool, name) in tools.iter().zip(&names) {
        constants.extend(quote!(const #name: usize = #next;));
        let predicates = tool.conditions.iter().filter_map(|condition| condition.parse_args::<TokenStream>().ok());
        next = quote!(if ::core::cfg!(all(#(#predicates),*)) { #name + 1 } else { #name });
    }
    (constants, names.iter().map(|name| quote!(#name)).collect())
}
