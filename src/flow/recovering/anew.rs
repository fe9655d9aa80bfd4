//! A person's decision ends what led to the stop: what was counted begins anew, what was refused is lifted.

use crate::flow::clock;
use crate::flow::scene::Scene;
use crate::flow::serve::Failure;
use crate::state::{Keeper, read_orders, write_orders};

pub(super) fn begin_anew(scene: &Scene, session: &str) -> Result<(), Failure> {
    if session.is_empty() || !scene.layout.session(session).is_dir() {
        return Ok(());
    }
    let mut keeper = Keeper::open(&scene.layout, session)?;
    let goal = keeper.standing.watch.goal.clone();
    keeper.standing.watch.prompted(&goal, clock::milliseconds());
    keeper.standing.history.forget_prompt();
    if let Some(mut orders) = read_orders(&scene.layout, session)? {
        orders.prompted();
        orders.limits = None;
        write_orders(&scene.layout, session, &orders)?;
    }
    Ok(keeper.save()?)
}
