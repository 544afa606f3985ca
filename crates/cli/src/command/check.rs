#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {}
pub(crate) fn execute(_: &CheckArgs, _: &crate::console::Console) -> Result<u8, crate::failure::Failure> {
    Ok(0)
}
