//! A toolset of many generated tools.
//!
//! [`Catalog::TOOLS`] is a constant, so the tables cannot be made at run time; they are drawn by lot while the compiler
//! runs. A schema contains only schemas drawn before it.

use core::fmt::Write;

use toolwire::json::{self, Integer, Value};
use toolwire::schema::{Float, MAX_DEPTH, Object, Property, Type};
use toolwire::tool::{Arguments, Context, Replied, Tool};
use toolwire::{Argument, Catalog, Toolset};

/// The number of tools.
pub(crate) const TOOLS: usize = 192;
const SCHEMAS: usize = 600;
const PROPERTIES: usize = 1200;
/// The most properties of an object.
const MOST: usize = 7;

pub(crate) const F32: &Float = float(<f32 as Argument<'static>>::SCHEMA);
pub(crate) const F64: &Float = float(<f64 as Argument<'static>>::SCHEMA);

const fn float(schema: &Type) -> &'static Float {
    match schema {
        Type::Number { float, .. } => float,
        _ => panic!("no schema of a float"),
    }
}

const NAMES: [&str; 18] = [
    "a",
    "b",
    "id",
    "name",
    "text",
    "größe",
    "with space",
    "quote\"d",
    "back\\slash",
    "null",
    "__proto__",
    "$ref",
    "properties",
    "type",
    "required",
    "😀",
    "",
    "a_name_that_is_quite_long_for_the_name_of_a_property_of_an_object",
];

const ENUMS: [&[&str]; 5] =
    [&["one"], &["low", "medium", "high"], &["", " ", "\""], &["é", "e\u{301}", "😀"], &["true", "null", "1", "{}"]];

const INTEGERS: [(i128, i128); 12] = [
    (i64::MIN as i128, i64::MAX as i128),
    (0, u64::MAX as i128),
    (0, 255),
    (-128, 127),
    (1, 1),
    (-5, 5),
    (10, i64::MAX as i128),
    (i64::MIN as i128, 0),
    (9_007_199_254_740_992, 9_007_199_254_740_993),
    (i64::MIN as i128, u64::MAX as i128),
    (-1, u64::MAX as i128 - 1),
    (u64::MAX as i128, u64::MAX as i128),
];

const FLOATS: [(Option<f64>, Option<f64>); 9] = [
    (None, None),
    (Some(0.0), None),
    (None, Some(1e21)),
    (Some(0.5), Some(2.0)),
    (Some(-1.5), Some(-1.5)),
    (Some(0.1), Some(0.3)),
    (Some(-1e300), Some(1e300)),
    (Some(5e-324), Some(2.2250738585072014e-308)),
    (Some(-0.0), Some(9_007_199_254_740_992.0)),
];

const F32_FLOATS: [(Option<f64>, Option<f64>); 3] =
    [(None, None), (Some(0.5), Some(2.0)), (Some(0.1_f32 as f64), Some(0.3_f32 as f64))];

const LENGTHS: [(u32, u32, u32); 8] = [
    (0, u32::MAX, u32::MAX),
    (1, u32::MAX, u32::MAX),
    (0, 0, u32::MAX),
    (0, 4, 4),
    (2, 3, u32::MAX),
    (1, 8, 8),
    (3, 3, u32::MAX),
    (0, u32::MAX, 7),
];

const ITEMS: [(u32, u32); 7] = [(0, u32::MAX), (1, u32::MAX), (0, 0), (0, 2), (2, 2), (1, 3), (3, u32::MAX)];

const DEFAULTS: [fn(&mut dyn Write) -> core::fmt::Result; 3] =
    [|out| out.write_str("true"), |out| out.write_str("7"), |out| json::write_str(out, "a\"b")];

struct Tables {
    schemas: [Type; SCHEMAS],
    properties: [Property; PROPERTIES],
    tools: [Tool; TOOLS],
}

static TABLES: Tables = draw(&TABLES);

static TOOL_NAMES: [[u8; 4]; TOOLS] = {
    let mut names = [*b"t000"; TOOLS];
    let mut at = 0;
    while at < TOOLS {
        names[at] = [b't', digit(at / 100), digit(at / 10 % 10), digit(at % 10)];
        at += 1;
    }
    names
};

const fn digit(value: usize) -> u8 {
    b'0' + (value % 10) as u8
}

/// Draws lots: a xorshift generator.
struct Lots(u64);

impl Lots {
    const fn draw(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % count as u64) as usize
    }
}

/// Fills the tables. `tables` are the tables to be filled: their addresses are taken, nothing in them is read.
const fn draw(tables: &'static Tables) -> Tables {
    const ROOT: Object = Object { properties: &[], additional_properties: false };
    let none = Property { name: "", description: None, schema: &Type::Boolean, required: false, default: None };
    let tool = Tool { name: "", description: "A generated tool.", input: ROOT, more: &[] };
    let mut filled = Tables { schemas: [Type::Boolean; SCHEMAS], properties: [none; PROPERTIES], tools: [tool; TOOLS] };
    let mut depths = [0; SCHEMAS];
    let (mut lots, mut used, mut at) = (Lots(0x2026_0728), 0, 0);
    while at < SCHEMAS {
        (filled.schemas[at], depths[at]) = match lots.draw(if at < 60 { 7 } else { 12 }) {
            0 => (Type::Boolean, 0),
            1 | 2 => (integer(&mut lots), 0),
            3 | 4 => (number(&mut lots), 0),
            5 => (string(&mut lots), 0),
            6 => (Type::Enum(ENUMS[lots.draw(ENUMS.len())]), 0),
            // The later of two lots, so that tables get deep.
            7..9 => {
                let items = later(&mut lots, at);
                let (min_items, max_items) = ITEMS[lots.draw(ITEMS.len())];
                let array = Type::Array { items: &tables.schemas[items], min_items, max_items };
                (array, depths[items] + 1)
            }
            _ => {
                let (object, depth);
                (object, depth, used) = self::object(tables, &mut filled.properties, used, &depths, at, &mut lots);
                (Type::Object(object), depth)
            }
        };
        // Too deep for what contains it.
        if depths[at] >= MAX_DEPTH {
            (filled.schemas[at], depths[at]) = (Type::STRING, 0);
        }
        at += 1;
    }
    at = 0;
    while at < TOOLS {
        let (object, depth);
        (object, depth, used) = self::object(tables, &mut filled.properties, used, &depths, SCHEMAS, &mut lots);
        if depth <= MAX_DEPTH {
            filled.tools[at].input = object;
        }
        filled.tools[at].name = match core::str::from_utf8(&TOOL_NAMES[at]) {
            Ok(name) => name,
            Err(_) => panic!("no name"),
        };
        at += 1;
    }
    filled
}

const fn later(lots: &mut Lots, count: usize) -> usize {
    let (one, other) = (lots.draw(count), lots.draw(count));
    if one > other { one } else { other }
}

const fn integer(lots: &mut Lots) -> Type {
    let (minimum, maximum) = INTEGERS[lots.draw(INTEGERS.len())];
    Type::Integer { minimum: Integer::new(minimum), maximum: Integer::new(maximum) }
}

const fn number(lots: &mut Lots) -> Type {
    if lots.draw(4) == 0 {
        let (minimum, maximum) = F32_FLOATS[lots.draw(F32_FLOATS.len())];
        Type::Number { minimum, maximum, float: F32 }
    } else {
        let (minimum, maximum) = FLOATS[lots.draw(FLOATS.len())];
        Type::Number { minimum, maximum, float: F64 }
    }
}

const fn string(lots: &mut Lots) -> Type {
    let (min_length, max_length, max_bytes) = LENGTHS[lots.draw(LENGTHS.len())];
    Type::String { min_length, max_length, max_bytes }
}

/// An object of some of the schemas before `count`, its depth, and the number of properties used then.
const fn object(
    tables: &'static Tables,
    properties: &mut [Property; PROPERTIES],
    used: usize,
    depths: &[usize; SCHEMAS],
    count: usize,
    lots: &mut Lots,
) -> (Object, usize, usize) {
    let (mut number, mut depth) = (0, 0);
    let wanted = lots.draw(MOST + 1);
    let first = lots.draw(NAMES.len());
    while number < wanted && used + number < PROPERTIES {
        let schema = later(lots, count);
        if depths[schema] > depth {
            depth = depths[schema];
        }
        let required = lots.draw(3) > 0;
        properties[used + number] = Property {
            name: NAMES[(first + number) % NAMES.len()],
            description: if lots.draw(3) == 0 { Some("What \"it\" means:\ttext, é.") } else { None },
            schema: &tables.schemas[schema],
            required,
            default: if !required && lots.draw(2) == 0 { Some(DEFAULTS[lots.draw(3)]) } else { None },
        };
        number += 1;
    }
    let (_, behind) = tables.properties.split_at(used);
    let (properties, _) = behind.split_at(number);
    (Object { properties, additional_properties: lots.draw(2) == 0 }, depth + 1, used + number)
}

/// The generated tools. Each answers with an array of the values of its arguments.
#[derive(Debug)]
pub(crate) struct Generated;

impl Catalog for Generated {
    const TOOLS: &'static [Tool] = &TABLES.tools;
}

impl Toolset for Generated {
    fn call(&mut self, index: usize, arguments: &Arguments<'_>, context: Context<'_>) -> Replied {
        let properties = TABLES.tools[index].input.properties;
        let values: Vec<String> = properties
            .iter()
            .zip(arguments.values::<MOST>())
            .map(|(property, value)| {
                let Some(value) = value else {
                    assert!(!property.required, "{} is missing", property.name);
                    return "null".to_owned();
                };
                assert!(is_decoded(property.schema, value), "{value:?} is no {:?}", property.schema);
                format!("{value:?}")
            })
            .collect();
        context.text(&format_args!("[{}]", values.join(",")))
    }
}

/// Whether the types that are made from such a schema can be made from a value.
fn is_decoded(schema: &Type, value: Value<'_>) -> bool {
    match *schema {
        Type::Boolean => bool::decode(value).is_some(),
        Type::Integer { .. } => i64::decode(value).is_some() || u64::decode(value).is_some(),
        Type::Number { float, .. } if core::ptr::eq(float, F32) => f32::decode(value).is_some_and(f32::is_finite),
        Type::Number { .. } => f64::decode(value).is_some_and(f64::is_finite),
        Type::String { .. } | Type::Enum(_) | Type::Titled(_) => <&str>::decode(value).is_some(),
        Type::Array { items, .. } => {
            value.as_array().is_some_and(|array| array.elements().all(|element| is_decoded(items, element)))
        }
        Type::Object(object) => value.as_object().is_some_and(|members| {
            object.properties.iter().all(|property| match members.get(property.name) {
                Some(value) if property.required || !value.is_null() => is_decoded(property.schema, value),
                _ => !property.required,
            })
        }),
    }
}
