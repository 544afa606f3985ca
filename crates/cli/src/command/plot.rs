#[derive(Debug, clap::Args)]
pub(crate) struct PlotArgs {}
pub(crate) fn execute(_: &PlotArgs, _: &crate::console::Console) -> Result<u8, crate::failure::Failure> {
    Ok(0)
}
