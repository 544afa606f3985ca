#[derive(Debug, clap::Args)]
pub(crate) struct InfoArgs {}
pub(crate) fn execute(_: &InfoArgs, _: &crate::console::Console) -> Result<u8, crate::failure::Failure> {
    Ok(0)
}
