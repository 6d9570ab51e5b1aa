//! A panic in one piece of work is caught and told; the other pieces go on.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

thread_local! {
    /// This thread is inside [`catch`].
    static IS_ISOLATED: Cell<bool> = const { Cell::new(false) };
    /// Where the last panic inside [`catch`] came from.
    static ORIGIN: RefCell<Option<String>> = const { RefCell::new(None) };
}

static HOOK: Once = Once::new();

/// Does the work, or gives the words of its panic with their place in the source of ankus.
///
/// The work must leave nothing half done that others see.
pub(super) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // What becomes a finding is not printed as well.
            if IS_ISOLATED.get() { ORIGIN.set(Some(origin(info))) } else { usual(info) }
        }));
    });
    let outer = IS_ISOLATED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    IS_ISOLATED.set(outer);
    result.map_err(|payload| {
        let words = words(payload.as_ref());
        ORIGIN.take().map_or_else(|| words.clone(), |origin| format!("{words} ({origin})"))
    })
}

fn origin(info: &PanicHookInfo<'_>) -> String {
    info.location().map_or_else(String::new, |place| format!("{}:{}", place.file(), place.line()))
}

/// The words of a panic, on one line.
fn words(payload: &(dyn Any + Send)) -> String {
    let text =
        payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    text.unwrap_or("no words").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::catch;

    #[test]
    fn a_panic_is_told_and_the_next_work_goes_on() {
        assert_eq!(catch(|| 1), Ok(1));
        let told = catch(|| panic!("two\n words")).map(|()| 0).expect_err("it panics");
        assert!(told.starts_with("two words (src") && told.contains("isolation.rs:"), "{told}");
        assert_eq!(catch(|| catch(|| panic!("in")).is_err()), Ok(true));
        assert_eq!(catch(|| 2), Ok(2));
    }
}
