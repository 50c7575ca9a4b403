//! A to-do list and a few small tools: nested objects, defaults, limits, errors.

use core::fmt::{self, Display};

use toolwire::json::{Float, Integer};
use toolwire::{Argument, ServerInfo, toolset};

/// What the server tells of itself.
pub const INFO: ServerInfo = ServerInfo::new("tasks", env!("CARGO_PKG_VERSION"));

/// How many tasks are kept.
pub const CAPACITY: usize = 16;

/// The bytes of a title: 200 characters of up to four bytes.
const TITLE: usize = 4 * 200;

/// How urgent a task is.
#[derive(Argument, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// It can wait.
    Low,
    /// As usual.
    Medium,
    /// Now.
    High,
}

impl Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        })
    }
}

/// A task that is to be made.
#[derive(Argument, Clone, Copy, Debug)]
pub struct NewTask<'a> {
    /// Título corto de la tarea.
    #[argument(min_length = 1, max_length = 200)]
    title: &'a str,
    /// Nivel de prioridad de la tarea.
    #[argument(default = Priority::Medium)]
    priority: Priority,
}

/// A scale of temperatures.
#[derive(Argument, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Water boils at 100.
    Celsius,
    /// Water boils at 212.
    Fahrenheit,
}

impl Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Celsius => "celsius",
            Self::Fahrenheit => "fahrenheit",
        })
    }
}

/// How far some work is.
#[derive(Argument, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Not begun.
    Open,
    /// Begun.
    InProgress,
    /// Done.
    Closed,
}

impl Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::InProgress => "in_progress",
            Self::Closed => "closed",
        })
    }
}

#[derive(Clone, Debug)]
struct Task {
    title: heapless::String<TITLE>,
    priority: Priority,
    completed: bool,
}

/// Why a tool refuses.
#[derive(Clone, Copy, Debug)]
enum Error {
    Full,
    Unknown(i64),
    NotPositive,
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => write!(f, "No caben más tareas: ya hay {CAPACITY}."),
            Self::Unknown(id) => write!(f, "No se encontró ninguna tarea con el id {}", Integer::from(*id)),
            Self::NotPositive => f.write_str("el monto debe ser positivo"),
        }
    }
}

/// The tools and the tasks. A task's id is its place, counted from 1.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    tasks: heapless::Vec<Task, CAPACITY>,
}

impl Tasks {
    /// An empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self { tasks: heapless::Vec::new() }
    }
}

#[toolset]
impl Tasks {
    /// Crear una nueva tarea y devolver su id.
    /// Usa esta herramienta cuando el usuario quiera apuntar algo por hacer.
    #[tool]
    fn create_task(
        &mut self,
        /// Los datos de la tarea.
        input: NewTask<'_>,
    ) -> Result<impl Display, Error> {
        let NewTask { title, priority } = input;
        let title = heapless::String::try_from(title).map_err(|_| Error::Full)?;
        self.tasks.push(Task { title, priority, completed: false }).map_err(|_| Error::Full)?;
        let id = self.tasks.len();
        let Task { title, priority, .. } = self.tasks.last().ok_or(Error::Full)?;
        Ok(fmt::from_fn(move |f| write!(f, "Tarea creada {id}: {title} (prioridad: {priority})")))
    }

    /// Marcar una tarea como completada.
    /// Usa esta herramienta cuando el usuario diga que ha terminado una tarea.
    #[tool(idempotent)]
    fn complete_task(
        &mut self,
        /// El id que devolvió `create_task`.
        task_id: i64,
    ) -> Result<impl Display, Error> {
        let at = usize::try_from(task_id).ok().and_then(|id| id.checked_sub(1));
        let task = at.and_then(|at| self.tasks.get_mut(at)).ok_or(Error::Unknown(task_id))?;
        task.completed = true;
        let (id, title) = (Integer::from(task_id), &task.title);
        Ok(fmt::from_fn(move |f| write!(f, "Tarea {id} ({title}) marcada como completada")))
    }

    /// Listar las tareas seguidas.
    /// Usa esta herramienta para ver qué tareas hay y cuáles son sus ids.
    #[tool(read_only)]
    fn list_tasks(
        &self,
        /// Si es `true`, ocultar las tareas ya marcadas como completadas.
        #[argument(default = true)]
        only_open: bool,
    ) -> impl Display {
        fmt::from_fn(move |f| {
            let shown = (1..).zip(&self.tasks).filter(|(_, task)| !(only_open && task.completed));
            let mut separator = "";
            for (id, Task { title, priority, completed }) in shown {
                write!(f, "{separator}#{id} [{priority}] {title}{}", if *completed { " (completada)" } else { "" })?;
                separator = "\n";
            }
            f.write_str(if separator.is_empty() { "No se encontraron tareas." } else { "" })
        })
    }

    /// Decir el tiempo que hace en una ciudad.
    /// Usa esta herramienta cuando el usuario pregunte por el tiempo.
    #[tool(read_only)]
    fn get_weather(
        /// El nombre de la ciudad.
        city: &str,
        /// La escala de la temperatura.
        #[argument(default = Units::Celsius)]
        units: Units,
    ) -> impl Display {
        fmt::from_fn(move |f| write!(f, "72 grados {units} y soleado en {city}"))
    }

    /// Establecer el estado del trabajo.
    /// Usa esta herramienta cuando el usuario diga cómo va el trabajo.
    #[tool(idempotent)]
    fn set_status(
        /// El nuevo estado.
        status: Status,
    ) -> impl Display {
        fmt::from_fn(move |f| write!(f, "Estado establecido a {status}"))
    }

    /// Retirar dinero de una cuenta.
    /// Usa esta herramienta solo cuando el usuario pida un retiro.
    #[tool(destructive)]
    fn withdraw(
        /// El id de la cuenta.
        account_id: &str,
        /// El monto a retirar, mayor que cero.
        amount: f64,
    ) -> Result<impl Display, Error> {
        if amount > 0.0 {
            Ok(fmt::from_fn(move |f| write!(f, "Retirados {} de {account_id}", Float(amount))))
        } else {
            Err(Error::NotPositive)
        }
    }
}
