//! The orders in which Java 17 lists the keys of maps of several sizes.

use super::*;

const WORDS: &str = "alpha beta gamma delta epsilon zeta theta iota kappa lambda omicron upsilon sigma omega january \
                     february march april august september october november december monday tuesday";

fn sorted(count: usize, growth: Growth) -> String {
    let mut entries: Vec<_> =
        WORDS.split_whitespace().take(count).map(|word| (word.to_owned(), ())).collect();
    sort(&mut entries, growth);
    entries.iter().map(|(word, ())| word.as_str()).collect::<Vec<_>>().join(" ")
}

const ELEVEN: &str = "epsilon zeta iota lambda omicron alpha delta kappa theta beta gamma";
const TWELVE: &str = "epsilon zeta iota lambda omicron alpha upsilon delta kappa theta beta gamma";
const TWELVE_AMONG_32: &str = "zeta iota upsilon delta theta epsilon lambda omicron alpha kappa beta gamma";
const THIRTEEN: &str = "zeta sigma iota upsilon delta theta epsilon lambda omicron alpha kappa beta gamma";
const TWENTY_THREE: &str = "zeta sigma november iota august upsilon february delta theta april omega march epsilon \
                            lambda omicron september january alpha december kappa october beta gamma";
const TWENTY_FOUR: &str = "zeta sigma november iota august upsilon february delta theta april omega march epsilon \
                           lambda omicron september january alpha december kappa october beta gamma monday";
const TWENTY_FOUR_AMONG_64: &str = "november delta theta april epsilon lambda omicron september alpha december kappa \
                                    beta monday zeta sigma iota august upsilon february omega march january october \
                                    gamma";
const TWENTY_FIVE: &str = "november delta theta april epsilon lambda omicron september alpha december kappa beta \
                           monday zeta sigma iota august upsilon february omega march tuesday january october gamma";

#[test]
fn hash_maps_grow_beyond_three_quarters() {
    let check = |count, expected: &str| assert_eq!(sorted(count, Growth::HashMap), expected, "{count}");
    check(0, "");
    check(1, "alpha");
    check(8, "epsilon zeta iota alpha delta theta beta gamma");
    check(11, ELEVEN);
    check(12, TWELVE);
    check(13, THIRTEEN);
    check(23, TWENTY_THREE);
    check(24, TWENTY_FOUR);
    check(25, TWENTY_FIVE);
}

#[test]
fn properties_grow_at_three_quarters() {
    let check = |count, expected: &str| assert_eq!(sorted(count, Growth::Properties), expected, "{count}");
    check(1, "alpha");
    check(8, "epsilon zeta iota alpha delta theta beta gamma");
    check(11, ELEVEN);
    check(12, TWELVE_AMONG_32);
    check(13, THIRTEEN);
    check(23, TWENTY_THREE);
    check(24, TWENTY_FOUR_AMONG_64);
    check(25, TWENTY_FIVE);
}

#[test]
fn a_later_value_takes_the_place_of_an_earlier_one() {
    let entries = [("b", 1), ("a", 2), ("b", 3)].map(|(key, value)| (key.to_owned(), value));
    assert_eq!(distinct(entries), [("b".to_owned(), 3), ("a".to_owned(), 2)]);
    assert_eq!(distinct(Vec::<(String, i32)>::new()), []);
}
