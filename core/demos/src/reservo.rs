//! Rooms by the hour: enumerations, integers, and a little state.

use core::fmt::{self, Display};

use toolwire::json::Integer;
use toolwire::{Argument, ServerInfo, toolset};

/// What the server tells of itself.
pub const INFO: ServerInfo = ServerInfo::new("reservo", env!("CARGO_PKG_VERSION")).with_title("Reservo");

/// How many bookings are kept at a time.
pub const CAPACITY: usize = 16;

/// A room.
#[derive(Argument, Clone, Copy, Debug, PartialEq, Eq)]
#[argument(rename_all = "PascalCase")]
pub enum Room {
    /// For one.
    Focus,
    /// For a team.
    Studio,
    /// For meetings.
    Boardroom,
}

impl Room {
    const ALL: [Self; 3] = [Self::Focus, Self::Studio, Self::Boardroom];

    /// The price of an hour in centavos.
    const fn rate(self) -> u32 {
        match self {
            Self::Focus => 1200,
            Self::Studio => 2500,
            Self::Boardroom => 4000,
        }
    }
}

impl Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Focus => "Focus",
            Self::Studio => "Studio",
            Self::Boardroom => "Boardroom",
        })
    }
}

/// A kind of membership.
#[derive(Argument, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Pays the full price.
    Basic,
    /// Pays 20 % less.
    Pro,
}

impl Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Basic => "basic",
            Self::Pro => "pro",
        })
    }
}

/// A room for some hours at the price of a tier.
#[derive(Clone, Copy, Debug)]
struct Stay {
    room: Room,
    tier: Tier,
    hours: u32,
}

impl Stay {
    fn new(room: Room, tier: Tier, hours: i64) -> Result<Self, Error> {
        match u32::try_from(hours) {
            Ok(hours @ 1..=24) => Ok(Self { room, tier, hours }),
            _ => Err(Error::Hours(hours)),
        }
    }

    /// The price in centavos. All rates are multiples of 5, so a fifth less is exact.
    const fn price(self) -> u32 {
        let full = self.room.rate() * self.hours;
        match self.tier {
            Tier::Basic => full,
            Tier::Pro => full / 5 * 4,
        }
    }
}

impl Display for Stay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { room, tier, hours } = self;
        let unit = if *hours == 1 { "hora" } else { "horas" };
        let (hours, price) = (Integer::from(*hours), Integer::from(self.price()));
        write!(f, "{room}, {hours} {unit}, tier {tier}: {price} centavos")
    }
}

/// Why a tool refuses.
#[derive(Clone, Copy, Debug)]
enum Error {
    Hours(i64),
    Full,
    Unknown(i64),
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hours(hours) => write!(f, "Las horas deben ser un entero de 1 a 24, no {}.", Integer::from(*hours)),
            Self::Full => {
                let most = const { Integer::new(CAPACITY as i128) };
                write!(f, "La agenda está llena: ya hay {most} reservas. Cancela una antes de reservar otra.")
            }
            Self::Unknown(id) => write!(f, "No existe ninguna reserva activa con el id {}.", Integer::from(*id)),
        }
    }
}

/// The tools, and the bookings that are not cancelled.
#[derive(Clone, Debug, Default)]
pub struct Reservo {
    /// Slots rather than a vector: removing from one would link `memmove`, which takes 658 bytes of flash.
    bookings: [Option<(u32, Stay)>; CAPACITY],
    /// The id of the booking made last.
    last: u32,
}

impl Reservo {
    /// An empty book.
    #[must_use]
    pub const fn new() -> Self {
        Self { bookings: [None; CAPACITY], last: 0 }
    }
}

#[toolset]
impl Reservo {
    /// Lista todas las salas de Reservo con su tarifa base por hora en centavos. Usa esta tool cuando el usuario
    /// pregunta que salas hay disponibles, sin haber elegido todavia una sala especifica.
    #[tool(additional_properties)]
    fn list_rooms() -> impl Display {
        fmt::from_fn(|f| {
            Room::ALL.into_iter().enumerate().try_for_each(|(at, room)| {
                write!(f, "{}{room}: {} centavos por hora", if at == 0 { "" } else { "\n" }, Integer::from(room.rate()))
            })
        })
    }

    /// Cotiza el precio de una sala para un tier y una cantidad de horas, sin reservar nada. Usa esta tool cuando el
    /// usuario pregunta cuanto cuesta una reserva.
    #[tool(additional_properties)]
    fn get_quote(room: Room, tier: Tier, hours: i64) -> Result<impl Display, Error> {
        Stay::new(room, tier, hours)
    }

    /// Crea una reserva CONFIRMADA para una sala, un tier y una cantidad de horas, a nombre de un miembro. Tiene
    /// efectos reales: genera una reserva de verdad. Usa esta tool solo cuando el usuario pide reservar
    /// explicitamente, no cuando solo pregunta el precio.
    #[tool(additional_properties)]
    fn book_room(&mut self, room: Room, tier: Tier, hours: i64, member: &str) -> Result<impl Display, Error> {
        let stay = Stay::new(room, tier, hours)?;
        let free = self.bookings.iter_mut().find(|booking| booking.is_none()).ok_or(Error::Full)?;
        self.last += 1;
        *free = Some((self.last, stay));
        let id = Integer::from(self.last);
        Ok(fmt::from_fn(move |f| write!(f, "Reserva {id} confirmada a nombre de {member}: {stay}")))
    }

    /// Cancela una reserva existente a partir de su id. Es una accion destructiva e irreversible. Usa esta tool cuando
    /// el usuario pide cancelar o anular una reserva que ya hizo.
    #[tool(additional_properties)]
    fn cancel_booking(&mut self, id: i64) -> Result<impl Display, Error> {
        let is_it = |booking: &&mut Option<_>| matches!(booking, Some((booked, _)) if i64::from(*booked) == id);
        let booking = self.bookings.iter_mut().find(is_it).and_then(Option::take);
        let (id, Stay { room, .. }) = booking.ok_or(Error::Unknown(id))?;
        Ok(fmt::from_fn(move |f| write!(f, "Reserva {} cancelada: {room}", Integer::from(id))))
    }
}
