//! Random changes of a store and of a model of it: whoever reads gets the same answers from both.
//!
//! `ANKUS_STORE_SEEDS=10000` plays so many; the nightly script does. `ANKUS_STORE_SEED=n` plays one.

use ankus::execute::store::Store;

use crate::support::graphs::Random;
use crate::support::store_model::Model;
use crate::support::{folder_of, seeds};

/// Changes in one play.
const STEPS: usize = 40;

#[test]
fn readers_of_a_store_answer_as_a_model_of_it_does() {
    let (mut deeds, mut reads) = (0, 0);
    for seed in seeds("ANKUS_STORE_SEED", 40) {
        let folder = folder_of("store-model", &[]).join(".ankus");
        let mut random = Random(seed);
        let mut store = Store::lock(&folder).expect("a store").expect("nobody has it");
        let reader = Store::read(&folder).expect("a store").expect("it is there");
        let mut model = Model::default();
        for step in 0..STEPS {
            let place = format!("ANKUS_STORE_SEED={seed}, step {step}");
            let deed = model.draw(&mut random, false);
            let (after, says) = model.after(&deed);
            let said = deed.act(&mut store, &folder).unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(said, says, "{place}: {deed:?}");
            model = after;
            deeds += 1;
            // Who holds it, who has had it open, and who comes anew.
            let fresh = || Store::read(&folder).expect("a store").expect("it is there");
            let differs = match random.below(8) {
                0 => model.differs(&store, &mut random),
                1 => model.differs(&reader, &mut random),
                2 => model.differs(&fresh(), &mut random),
                3 => fresh().verify().map(|_| None),
                4 => {
                    drop(store);
                    store = Store::lock(&folder).expect("a store").expect("nobody has it");
                    model.differs(&store, &mut random)
                }
                _ => continue,
            };
            let differs = differs.unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(differs, None, "{place}: after {deed:?}");
            reads += 1;
        }
        assert_eq!(model.differs(&store, &mut random).expect("it answers"), None, "ANKUS_STORE_SEED={seed}");
    }
    println!("{deeds} changes, answers compared {reads} times");
}
