use super::context::Context;
use super::robot::Robot;
use super::xml::Element;
pub(super) fn read(_root: &Element, _context: &Context<'_>) -> Option<Robot> { None }
