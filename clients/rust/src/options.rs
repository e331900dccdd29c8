use crate::json::{self, JsonError, Value};

/// A named part of the upright picture, with a rectangle or a polygon; what is not set is as the stream has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region(Options);

impl Region {
    /// A region whose lines are told with this name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self(Options::new().set("name", name))
    }

    /// x, y, width and height as fractions.
    #[must_use]
    pub fn region_of_interest(self, region: [f64; 4]) -> Self {
        Self(self.0.region_of_interest(region))
    }

    /// The corners x0, y0, x1, y1, ... as fractions.
    #[must_use]
    pub fn polygon(self, corners: &[f64]) -> Self {
        Self(self.0.set("polygon", corners.iter().copied().collect::<Value>()))
    }

    /// Texts, and regular expressions between slashes, to look for.
    #[must_use]
    pub fn find(self, patterns: &[&str]) -> Self {
        Self(self.0.find(patterns))
    }

    /// The characters and ranges to read alone.
    #[must_use]
    pub fn character_set(self, characters: &str) -> Self {
        Self(self.0.character_set(characters))
    }

    /// Leaves out lines lower than this fraction of the upright picture's height.
    #[must_use]
    pub fn minimum_text_height(self, fraction: f64) -> Self {
        Self(self.0.minimum_text_height(fraction))
    }
}

/// The options of a stream, by their names on the wire; what is not set is at the server's default.
///
/// ```
/// use glyphwire::Options;
///
/// let options = Options::new().level("accurate").characters(false).set("brightness", 0.5);
/// assert_eq!(options.to_string(), r#"{"level":"accurate","characters":false,"brightness":0.5}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options(Vec<(String, Value)>);

impl Options {
    /// No options: everything is at its default.
    pub fn new() -> Self {
        Self::default()
    }

    /// The options in a JSON object, such as the body of a recorded `configure`.
    ///
    /// # Errors
    ///
    /// When the text is no JSON object.
    pub fn from_json(text: &[u8]) -> Result<Self, JsonError> {
        match json::parse(text)? {
            Value::Object(members) => Ok(Self(members)),
            _ => Err(JsonError { expected: "an object", offset: 0 }),
        }
    }

    /// Any option, also one that this client does not know.
    #[must_use]
    pub fn set(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.retain(|(other, _)| other != name);
        self.0.push((name.into(), value.into()));
        self
    }

    /// The token without other options, if there is one.
    pub(crate) fn token_alone(&self) -> Option<Self> {
        let token = self.0.iter().find(|(name, _)| name == "token")?;
        Some(Self(vec![token.clone()]))
    }

    /// Shown to a server whose `hello` says `"auth":"token"`.
    #[must_use]
    pub fn token(self, token: &str) -> Self {
        self.set("token", token)
    }

    /// A name for the server's logs.
    #[must_use]
    pub fn client(self, name: &str) -> Self {
        self.set("client", name)
    }

    /// `"fast"` for live video, or `"accurate"` for text that is small, blurred or must be right.
    #[must_use]
    pub fn level(self, level: &str) -> Self {
        self.set("level", level)
    }

    /// `false`: say where text is and do not read it.
    #[must_use]
    pub fn recognize(self, recognize: bool) -> Self {
        self.set("recognize", recognize)
    }

    /// `false`: words come without their characters.
    #[must_use]
    pub fn characters(self, characters: bool) -> Self {
        self.set("characters", characters)
    }

    /// What the numbers of a box mean: `"sent"`, `"upright"` or `"vision"`.
    #[must_use]
    pub fn coordinates(self, coordinates: &str) -> Self {
        self.set("coordinates", coordinates)
    }

    /// Leaves out lines lower than this fraction of the upright picture's height.
    #[must_use]
    pub fn minimum_text_height(self, fraction: f64) -> Self {
        self.set("minimumTextHeight", fraction)
    }

    /// x, y, width and height of the only part of the upright picture that is looked at, as fractions.
    #[must_use]
    pub fn region_of_interest(self, region: [f64; 4]) -> Self {
        self.set("regionOfInterest", region)
    }

    /// Named parts of the upright picture that are read instead of the rest, each with options of its own.
    #[must_use]
    pub fn regions(self, regions: &[Region]) -> Self {
        self.set("regions", regions.iter().map(|region| Value::Object(region.0 .0.clone())).collect::<Value>())
    }

    /// Languages to expect, as codes of BCP 47.
    #[must_use]
    pub fn languages(self, codes: &[&str]) -> Self {
        self.set("languages", codes.iter().copied().collect::<Value>())
    }

    /// Who says which way up the pictures are: their header or EXIF tag (`"given"`), or the text in them (`"auto"`).
    #[must_use]
    pub fn upright(self, upright: &str) -> Self {
        self.set("upright", upright)
    }

    /// Words to expect, which are told where a reading is nearly as likely one of them.
    #[must_use]
    pub fn custom_words(self, words: &[&str]) -> Self {
        self.set("customWords", words.iter().copied().collect::<Value>())
    }

    /// `"all"`, the default, or `"changes"` for results with `changes` alone: what appeared, changed or is gone.
    #[must_use]
    pub fn report(self, report: &str) -> Self {
        self.set("report", report)
    }

    /// The characters and ranges to read alone, such as `"0-9."` or `"A-Z0-9-"`.
    #[must_use]
    pub fn character_set(self, characters: &str) -> Self {
        self.set("characterSet", characters)
    }

    /// `false`: misread words are not corrected by a dictionary.
    #[must_use]
    pub fn language_correction(self, corrects: bool) -> Self {
        self.set("languageCorrection", corrects)
    }

    /// What becomes of lines in scripts that the server cannot read: `"report"`, the default, for their boxes without text, or
    /// `"omit"`.
    #[must_use]
    pub fn unreadable(self, unreadable: &str) -> Self {
        self.set("unreadable", unreadable)
    }

    /// What becomes of a JPEG that is damaged: `"refuse"`, the default, for an error, or `"read"` for what lies above the
    /// damage.
    #[must_use]
    pub fn damaged(self, damaged: &str) -> Self {
        self.set("damaged", damaged)
    }

    /// Texts, and regular expressions between slashes, to look for in what is read; results tell `matches`.
    #[must_use]
    pub fn find(self, patterns: &[&str]) -> Self {
        self.set("find", patterns.iter().copied().collect::<Value>())
    }

    /// How many readings of each line are told, the best first.
    #[must_use]
    pub fn candidates(self, count: u32) -> Self {
        self.set("candidates", count)
    }

    /// Of frames that come faster than they are read: newer ones take their place (`"live"`), or all are read (`"every"`).
    #[must_use]
    pub fn delivery(self, delivery: &str) -> Self {
        self.set("delivery", delivery)
    }

    /// Frames that are older than so many milliseconds when their turn comes are not read.
    #[must_use]
    pub fn deadline_ms(self, milliseconds: u32) -> Self {
        self.set("deadline_ms", milliseconds)
    }

    /// By how many microseconds the server's clock is ahead of yours, as pings tell; results then tell `age_ms`.
    #[must_use]
    pub fn clock_offset_us(self, microseconds: i64) -> Self {
        self.set("clock_offset_us", Value::Number(microseconds.to_string()))
    }

    /// Whether frames are compared with those before them, so that words have ids.
    #[must_use]
    pub fn temporal(self, temporal: bool) -> Self {
        self.set("temporal", temporal)
    }

    /// With `temporal`: after how many milliseconds a whole frame is looked at again.
    #[must_use]
    pub fn refresh_ms(self, milliseconds: u32) -> Self {
        self.set("refresh_ms", milliseconds)
    }
}

impl std::fmt::Display for Options {
    /// Writes the options as the body of a `configure`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Value::Object(self.0.clone()).fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_its_name_on_the_wire() {
        let options = Options::new()
            .token("a\"b")
            .client("camera 7")
            .level("fast")
            .recognize(true)
            .characters(false)
            .coordinates("vision")
            .minimum_text_height(0.05)
            .region_of_interest([0.0, 0.25, 1.0, 0.5])
            .regions(&[
                Region::new("meter")
                    .region_of_interest([0.0, 0.0, 0.5, 1.0])
                    .character_set("0-9")
                    .minimum_text_height(0.25),
                Region::new("sign").polygon(&[0.0, 0.0, 1.0, 0.0, 0.5, 1.0]).find(&["EXIT"]),
            ])
            .languages(&["en", "zh-Hans"])
            .upright("auto")
            .custom_words(&["Gleis"])
            .language_correction(false)
            .unreadable("omit")
            .damaged("read")
            .find(&["EXIT", "/[0-9]+/"])
            .candidates(3)
            .delivery("every")
            .deadline_ms(300)
            .clock_offset_us(-5)
            .temporal(true)
            .refresh_ms(1000);
        let body = concat!(
            r#"{"token":"a\"b","client":"camera 7","level":"fast","recognize":true,"characters":false,"#,
            r#""coordinates":"vision","minimumTextHeight":0.05,"regionOfInterest":[0,0.25,1,0.5],"#,
            r#""regions":[{"name":"meter","regionOfInterest":[0,0,0.5,1],"characterSet":"0-9","minimumTextHeight":0.25},"#,
            r#"{"name":"sign","polygon":[0,0,1,0,0.5,1],"find":["EXIT"]}],"#,
            r#""languages":["en","zh-Hans"],"upright":"auto","customWords":["Gleis"],"languageCorrection":false,"#,
            r#""unreadable":"omit","damaged":"read","#,
            r#""find":["EXIT","/[0-9]+/"],"candidates":3,"delivery":"every","#,
            r#""deadline_ms":300,"clock_offset_us":-5,"temporal":true,"refresh_ms":1000}"#
        );
        assert_eq!(options.to_string(), body);
        assert_eq!(Options::from_json(body.as_bytes()), Ok(options));
    }

    #[test]
    fn what_is_set_again_is_there_once() {
        assert_eq!(Options::new().level("fast").level("accurate").to_string(), r#"{"level":"accurate"}"#);
    }

    #[test]
    fn options_are_an_object() {
        assert_eq!(Options::from_json(b"[]").unwrap_err().expected, "an object");
    }
}
