//! Permissions as an fs action writes them (`FsActionExecutor.createShortPermission`).

use super::{FilesFault, fault};

/// The bits of `755` or `-rwxr-xr-x`.
pub fn mode(path: &str, permissions: &str) -> Result<u32, FilesFault> {
    let invalid = || {
        let words = format!("chmod, path [{path}] invalid permissions mask [{permissions}]");
        fault("FS010", words)
    };
    let signs: Vec<char> = permissions.chars().collect();
    match signs.len() {
        3 if signs.iter().all(char::is_ascii_digit) => {
            // `Short.parseShort(…, 8)` has no word for digits that are not octal.
            let octal = u32::from_str_radix(permissions, 8);
            octal.map_err(|_| fault("NumberFormatException", format!("`{permissions}` is no octal number")))
        }
        10 => symbolic(&signs).ok_or_else(invalid),
        _ => Err(invalid()),
    }
}

/// `FsPermission.valueOf`, which takes any letter for a right; here it must be the right one.
fn symbolic(signs: &[char]) -> Option<u32> {
    let mut mode = 0;
    for (place, (sign, expected)) in signs[1..].iter().zip("rwxrwxrwx".chars()).enumerate() {
        let bit = match sign {
            '-' => 0,
            'T' if place == 8 => 0,
            't' if place == 8 => 1,
            sign if *sign == expected => 1,
            _ => return None,
        };
        mode = mode << 1 | bit;
    }
    let sticky = if matches!(signs[9], 't' | 'T') { 0o1000 } else { 0 };
    Some(mode | sticky)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_are_read_as_a_server_reads_them() {
        let read = |text: &str| mode("p", text).map_err(|fault| fault.code);
        assert_eq!(read("755"), Ok(0o755));
        assert_eq!(read("-rwxr-x--t"), Ok(0o1751));
        assert_eq!(read("drwx--x--T"), Ok(0o1710));
        assert_eq!(read("----------"), Ok(0));
        for bad in ["", "7", "0755", "u+x", "-rwxr-xr-z", "-wrxr-xr-x"] {
            assert_eq!(read(bad), Err("FS010"), "{bad}");
        }
        assert_eq!(read("789"), Err("NumberFormatException"));
    }
}
