use std::fmt::Write;

/// Size of the drawing, in SVG user units.
pub(super) const DRAWING_WIDTH: f64 = 900.0;
const HEIGHT: f64 = 460.0;
/// Horizontal positions of the two plots, and their upper and lower edges.
pub(super) const LEFT_PLOT: (f64, f64) = (90.0, 540.0);
pub(super) const RIGHT_PLOT: (f64, f64) = (660.0, 880.0);
pub(super) const PLOT_TOP: f64 = 114.0;
pub(super) const PLOT_BOTTOM: f64 = 390.0;

/// Drawing, built element by element. Positions are counted from the upper left corner.
pub(super) struct Svg(String);

impl Svg {
    pub(super) fn new() -> Self {
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{DRAWING_WIDTH}\" height=\"{HEIGHT}\" \
             viewBox=\"0 0 {DRAWING_WIDTH} {HEIGHT}\" font-family=\"sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        ))
    }

    fn element(&mut self, element: std::fmt::Arguments<'_>) {
        writeln!(self.0, "{element}").expect("memory takes every byte");
    }

    pub(super) fn add_text(&mut self, (x, y): (f64, f64), anchor: &str, size: u8, text: &str) {
        let text = escape(text);
        self.element(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{text}</text>"
        ));
    }

    /// Adds the title, in smaller letters if it is long.
    pub(super) fn add_title(&mut self, text: &str) {
        let length = text.chars().count();
        let (size, squeezed) = match length {
            ..100 => (16, ""),
            100..145 => (12, ""),
            _ => (12, " textLength=\"880\" lengthAdjust=\"spacingAndGlyphs\""),
        };
        let (middle, text) = (DRAWING_WIDTH / 2.0, escape(text));
        self.element(format_args!(
            "<text x=\"{middle:.1}\" y=\"28.0\" text-anchor=\"middle\" font-size=\"{size}\"{squeezed}>{text}</text>"
        ));
    }

    /// Adds a vertical text, read from bottom to top.
    pub(super) fn add_vertical_text(&mut self, (x, y): (f64, f64), text: &str) {
        let text = escape(text);
        self.element(format_args!(
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\" \
             font-size=\"13\">{text}</text>"
        ));
    }

    pub(super) fn add_line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str) {
        self.element(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" \
             stroke=\"{colour}\" stroke-width=\"1.5\"/>"
        ));
    }

    /// Adds a line through these points.
    pub(super) fn add_polyline(&mut self, places: impl Iterator<Item = (f64, f64)>, colour: &str) {
        let places: Vec<_> = places.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let places = places.join(" ");
        self.element(format_args!(
            "<polyline points=\"{places}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
        ));
    }

    pub(super) fn add_bar(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        colour: &str,
    ) {
        self.element(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             fill=\"{colour}\" stroke=\"#fff\" stroke-width=\"0.5\"/>"
        ));
    }

    /// Adds the two axes of a plot.
    pub(super) fn add_axes(&mut self, (left, right): (f64, f64)) {
        self.add_line((left, PLOT_TOP), (left, PLOT_BOTTOM), "#333");
        self.add_line((left, PLOT_BOTTOM), (right, PLOT_BOTTOM), "#333");
    }

    pub(super) fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }
}

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

/// Converts a number to a coordinate.
#[expect(clippy::cast_precision_loss, reason = "turns have at most ten digits")]
pub(super) const fn to_f64(turns: u64) -> f64 {
    turns as f64
}

/// Rounds `least` up to the next number that is 1, 2 or 5 times a power of ten.
pub(super) fn round_up_to_tick(least: u64) -> u64 {
    let mut power = 1;
    loop {
        for nice in [power, 2 * power, 5 * power] {
            if nice >= least {
                return nice;
            }
        }
        power *= 10;
    }
}
