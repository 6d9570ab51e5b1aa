//! Renderers: findings and plans as text and JSON. No I/O.
