use crate::json::Value;
use crate::line::ServerLine;

/// What became of a frame: exactly one for each, in the order of the frames.
///
/// Members that a line does not have are 0 or empty; members that are not known here are in [`FrameResult::line`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FrameResult {
    /// Of the frame.
    pub sequence: u64,
    /// Of the frame.
    pub captured_us: u64,
    /// `"ok"` if it was read, `"error"` if it could not be; any other, such as `"dropped"`, means that it was not.
    pub status: String,
    /// Of an error, as in Protocol.md; `connection_lost` if the connection was, which no server says.
    pub code: Option<String>,
    /// Of an error, for a person.
    pub message: Option<String>,
    /// Of a frame that was dropped: why.
    pub reason: Option<String>,
    /// Of a frame that was dropped: the sequence of the one that took its place.
    pub by: Option<u64>,
    /// How many milliseconds before its result the picture was taken, where the server can tell.
    pub age_ms: Option<i64>,
    /// Of the picture as it was sent, in pixels.
    pub width: u64,
    /// Of the picture as it was sent, in pixels.
    pub height: u64,
    /// How it was turned to be read, 1...8.
    pub orientation: u64,
    /// Which models read it.
    pub level: String,
    /// What the numbers of every box mean.
    pub coordinates: String,
    /// The text of all lines, line feeds between them.
    pub text: String,
    /// Lines of text, in reading order.
    pub lines: Vec<TextLine>,
    /// With `temporal`: whether the frame shows what the one before it showed.
    pub reused: bool,
    /// Whether there are more words than the server tells of one frame, so that the last lines are left out.
    pub truncated: bool,
    /// What was found of what `find` asked for, in reading order.
    pub matches: Vec<TextMatch>,
    /// Whether these are all matches; if not, some towards the end are missing.
    pub matches_complete: bool,
    /// With the report `changes`: the texts that appeared, changed or are gone; `lines` and `matches` are then empty.
    pub changes: Vec<TextChange>,
    /// With `temporal`: ids of words that the frame before had and this one has not.
    pub lost: Vec<u64>,
    /// What was odd about the frame and did not keep it from being read.
    pub warnings: Vec<FrameWarning>,
    /// How long the stages took, in microseconds, in the order in which they were told.
    pub timings_us: Vec<(String, u64)>,
    /// The line as it was received, without its line feed; empty if the frame was lost with its connection.
    pub line: String,
}

impl FrameResult {
    /// Whether the frame was read.
    pub fn is_ok(&self) -> bool {
        self.status == "ok"
    }

    /// The words of all lines, in reading order.
    pub fn words(&self) -> impl Iterator<Item = &TextWord> {
        self.lines.iter().flat_map(|line| &line.words)
    }
}

impl From<ServerLine> for FrameResult {
    fn from(line: ServerLine) -> Self {
        let value = &line.value;
        let number = |name| line.u64(name).unwrap_or_default();
        let timings = match value.get("timings_us") {
            Some(Value::Object(stages)) => {
                stages.iter().filter_map(|(name, value)| Some((name.clone(), value.as_u64()?))).collect()
            }
            _ => Vec::new(),
        };
        Self {
            sequence: number("sequence"),
            captured_us: number("captured_us"),
            status: string(value, "status"),
            code: line.str("code").map(str::to_owned),
            message: line.str("message").map(str::to_owned),
            reason: line.str("reason").map(str::to_owned),
            by: line.u64("by"),
            age_ms: value.get("age_ms").and_then(Value::as_i64),
            width: number("width"),
            height: number("height"),
            orientation: number("orientation"),
            level: string(value, "level"),
            coordinates: string(value, "coordinates"),
            text: string(value, "text"),
            lines: all(value, "lines", TextLine::from_value),
            reused: flag(value, "reused"),
            truncated: flag(value, "truncated"),
            matches: all(value, "matches", TextMatch::from_value),
            matches_complete: value.get("matches_complete").and_then(Value::as_bool).unwrap_or(true),
            changes: all(value, "changes", TextChange::from_value),
            lost: all(value, "lost", |id| id.as_u64().unwrap_or_default()),
            warnings: all(value, "warnings", FrameWarning::from_value),
            timings_us: timings,
            line: line.line,
        }
    }
}

/// Something about a frame that was odd; which numbers it has depends on its code.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FrameWarning {
    /// As in Protocol.md, such as `jpeg_no_end`; a newer server may have others.
    pub code: String,
    /// The first row of the picture as it was sent that cannot be trusted.
    pub row: Option<u64>,
    /// By what the sides of the picture were multiplied.
    pub scale: Option<f64>,
}

impl FrameWarning {
    fn from_value(value: &Value) -> Self {
        Self {
            code: string(value, "code"),
            row: value.get("row").and_then(Value::as_u64),
            scale: value.get("scale").and_then(Value::as_f64),
        }
    }
}

/// A line of text.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TextLine {
    /// What it says.
    pub text: String,
    /// How sure the reading is, 0...1.
    pub confidence: f64,
    /// Four corners x0, y0, ... y3, clockwise as a reader sees them, from where the text begins.
    pub r#box: [f64; 8],
    /// What stands between spaces.
    pub words: Vec<TextWord>,
    /// Readings of the line, the best first, where more than one was asked for.
    pub candidates: Vec<Candidate>,
    /// The writing of most letters by its code in ISO 15924, such as `Latn`, where there are letters.
    pub script: Option<String>,
    /// Why the line was not read, such as `script_unavailable`, so that its texts are empty.
    pub reason: Option<String>,
    /// How sure each network is by itself, where the server tells.
    pub scores: Option<Scores>,
    /// With `temporal`: `"new"` if no earlier frame showed it, `"kept"` if it is told from an earlier reading, `"read"` if
    /// it was known and read again.
    pub state: Option<String>,
    /// The name of the region that the line is in, if there are some.
    pub region: Option<String>,
}

impl TextLine {
    fn from_value(value: &Value) -> Self {
        Self {
            text: string(value, "text"),
            confidence: confidence(value),
            r#box: corners(value),
            words: all(value, "words", TextWord::from_value),
            candidates: all(value, "candidates", |value| Candidate {
                text: string(value, "text"),
                confidence: confidence(value),
            }),
            script: value.get("script").and_then(Value::as_str).map(str::to_owned),
            reason: value.get("reason").and_then(Value::as_str).map(str::to_owned),
            scores: value.get("scores").map(|scores| Scores {
                detection: scores.get("detection").and_then(Value::as_f64).unwrap_or_default(),
                recognition: scores.get("recognition").and_then(Value::as_f64),
            }),
            state: value.get("state").and_then(Value::as_str).map(str::to_owned),
            region: value.get("region").and_then(Value::as_str).map(str::to_owned),
        }
    }
}

/// What stands between spaces.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TextWord {
    /// What it says.
    pub text: String,
    /// How sure the reading is, 0...1.
    pub confidence: f64,
    /// Four corners x0, y0, ... y3, clockwise as a reader sees them, from where the text begins.
    pub r#box: [f64; 8],
    /// With `temporal`: the same for the same word in other frames.
    pub id: Option<u64>,
    /// Where they were asked for and read.
    pub characters: Vec<TextCharacter>,
}

impl TextWord {
    fn from_value(value: &Value) -> Self {
        Self {
            text: string(value, "text"),
            confidence: confidence(value),
            r#box: corners(value),
            id: value.get("id").and_then(Value::as_u64),
            characters: all(value, "characters", |value| TextCharacter {
                text: string(value, "text"),
                confidence: confidence(value),
                r#box: corners(value),
            }),
        }
    }
}

/// What a reader takes for one character; it may be more than one code point.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TextCharacter {
    /// What it says.
    pub text: String,
    /// How sure the reading is, 0...1.
    pub confidence: f64,
    /// Four corners x0, y0, ... y3, clockwise as a reader sees them, from where the text begins.
    pub r#box: [f64; 8],
}

/// One reading of a line.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// What it says.
    pub text: String,
    /// How sure the reading is, 0...1.
    pub confidence: f64,
}

/// How sure each of the two networks is by itself.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Scores {
    /// That there is text.
    pub detection: f64,
    /// Of what it says, where it was read.
    pub recognition: Option<f64>,
}

/// A place where something was found that `find` asked for.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TextMatch {
    /// Which one of `find` it is, from 0.
    pub pattern: usize,
    /// What stands there.
    pub text: String,
    /// Which one of the result's lines it is in, from 0.
    pub line: usize,
    /// Which of that line's words it has a part of, from 0.
    pub words: Vec<usize>,
    /// Four corners x0, y0, ... y3, clockwise as a reader sees them, from where the text begins.
    pub r#box: [f64; 8],
    /// The name of the region that the line is in, if there are some; `pattern` then counts in its `find`.
    pub region: Option<String>,
}

impl TextMatch {
    fn from_value(value: &Value) -> Self {
        Self {
            pattern: value.get("pattern").map(index).unwrap_or_default(),
            text: string(value, "text"),
            line: value.get("line").map(index).unwrap_or_default(),
            words: all(value, "words", index),
            r#box: corners(value),
            region: value.get("region").and_then(Value::as_str).map(str::to_owned),
        }
    }
}

/// A line, or with `find` a match, that appeared, reads differently or is gone.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TextChange {
    /// `appeared`, `changed` or `lost`.
    pub r#type: String,
    /// The same for all changes of a text.
    pub id: u64,
    /// What it says, or said when it was last seen.
    pub text: String,
    /// What it said before it changed.
    pub previous: Option<String>,
    /// How sure the reading of a line is, 0...1.
    pub confidence: Option<f64>,
    /// Four corners x0, y0, ... y3, clockwise as a reader sees them, from where the text begins.
    pub r#box: [f64; 8],
    /// Which one of `find` it is, from 0.
    pub pattern: Option<usize>,
    /// The name of the region that it is in, if there are some.
    pub region: Option<String>,
}

impl TextChange {
    fn from_value(value: &Value) -> Self {
        Self {
            r#type: string(value, "type"),
            id: value.get("id").and_then(Value::as_u64).unwrap_or_default(),
            text: string(value, "text"),
            previous: value.get("previous").and_then(Value::as_str).map(str::to_owned),
            confidence: value.get("confidence").and_then(Value::as_f64),
            r#box: corners(value),
            region: value.get("region").and_then(Value::as_str).map(str::to_owned),
            pattern: value.get("pattern").map(index),
        }
    }
}

fn index(value: &Value) -> usize {
    value.as_u64().and_then(|number| number.try_into().ok()).unwrap_or_default()
}

fn flag(value: &Value, name: &str) -> bool {
    value.get(name).and_then(Value::as_bool).unwrap_or_default()
}

fn string(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn confidence(value: &Value) -> f64 {
    value.get("confidence").and_then(Value::as_f64).unwrap_or_default()
}

fn corners(value: &Value) -> [f64; 8] {
    let mut corners = [0.0; 8];
    let numbers = value.get("box").and_then(Value::as_array).unwrap_or_default();
    for (corner, number) in corners.iter_mut().zip(numbers) {
        *corner = number.as_f64().unwrap_or_default();
    }
    corners
}

fn all<T>(value: &Value, name: &str, read: impl Fn(&Value) -> T) -> Vec<T> {
    value.get(name).and_then(Value::as_array).unwrap_or_default().iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(text: &str) -> FrameResult {
        ServerLine::parse(text.into()).unwrap().into()
    }

    #[test]
    fn every_member_is_understood() {
        let text = concat!(
            r#"{"type":"result","sequence":18446744073709551615,"captured_us":9,"status":"ok","width":640,"height":480,"#,
            r#""orientation":8,"level":"fast","coordinates":"sent","text":"27-41","lines":[{"text":"27-41","#,
            r#""confidence":1,"box":[323,170.2,3,4,5,6,7,8],"words":[{"text":"27-41","confidence":0.985,"id":12,"#,
            r#""box":[1,2,3,4,5,6,7,8],"characters":[{"text":"2","confidence":0.5,"box":[1,2,3,4,5,6,7,8]}]}],"#,
            r#""candidates":[{"text":"27-41","confidence":1},{"text":"27-4l","confidence":0.25}]}],"#,
            r#""timings_us":{"queue":1,"total":20},"weather":"fine"}"#
        );
        let result = result(text);
        assert_eq!((result.sequence, result.captured_us, result.is_ok()), (u64::MAX, 9, true));
        assert_eq!((result.width, result.height, result.orientation), (640, 480, 8));
        assert_eq!((result.level.as_str(), result.coordinates.as_str()), ("fast", "sent"));
        assert_eq!(result.timings_us, [("queue".into(), 1), ("total".into(), 20)]);
        assert_eq!(result.lines[0].r#box, [323.0, 170.2, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        assert_eq!(result.lines[0].candidates[1].text, "27-4l");
        let word = result.words().next().unwrap();
        assert_eq!((word.text.as_str(), word.confidence, word.id), ("27-41", 0.985, Some(12)));
        assert_eq!(word.characters[0].confidence, 0.5);
        assert_eq!(result.line, text);
    }

    #[test]
    fn changes_are_understood() {
        let text = concat!(
            r#"{"type":"result","sequence":1,"captured_us":0,"status":"ok","changes":[{"type":"changed","id":7,"#,
            r#""text":"12:02","confidence":0.5,"box":[1,2,3,4,5,6,7,8],"previous":"12:01"},"#,
            r#"{"type":"lost","id":3,"text":"EXIT","box":[1,2,3,4,5,6,7,8],"pattern":1}]}"#
        );
        let changes = result(text).changes;
        let (changed, lost) = (&changes[0], &changes[1]);
        assert_eq!((changed.r#type.as_str(), changed.id, changed.text.as_str()), ("changed", 7, "12:02"));
        assert_eq!(
            (changed.previous.as_deref(), changed.confidence, changed.pattern),
            (Some("12:01"), Some(0.5), None)
        );
        assert_eq!((lost.r#type.as_str(), lost.confidence, lost.pattern), ("lost", None, Some(1)));
        assert_eq!(lost.r#box[7], 8.0);
    }

    #[test]
    fn what_is_compared_and_found_is_told() {
        let text = concat!(
            r#"{"warnings":[{"code":"jpeg_no_end"},{"row":312,"code":"jpeg_damaged"},{"scale":0.5,"code":"newer"}],"#,
            r#""lost":[3,18446744073709551615],"matches_complete":false,"matches":[{"box":[9,2,3,4,5,6,7,8],"#,
            r#""words":[1,2],"line":0,"text":"42","pattern":1}],"truncated":true,"reused":true,"lines":[{"state":"kept","#,
            r#""scores":{"recognition":0.25,"detection":0.5},"script":"Latn","reason":"newer"},{"scores":{"detection":0.5}},{}],"#,
            r#""status":"ok","sequence":1,"type":"result"}"#
        );
        let result = result(text);
        assert_eq!((result.reused, result.truncated, result.matches_complete), (true, true, false));
        assert_eq!(result.lost, [3, u64::MAX]);
        let codes: Vec<&str> = result.warnings.iter().map(|warning| warning.code.as_str()).collect();
        assert_eq!(codes, ["jpeg_no_end", "jpeg_damaged", "newer"]);
        assert_eq!((result.warnings[0].row, result.warnings[1].row), (None, Some(312)));
        assert_eq!((result.warnings[1].scale, result.warnings[2].scale), (None, Some(0.5)));
        let found = &result.matches[0];
        assert_eq!((found.pattern, found.text.as_str(), found.line), (1, "42", 0));
        assert_eq!((found.words.as_slice(), found.r#box[0]), ([1, 2].as_slice(), 9.0));
        let line = &result.lines[0];
        assert_eq!((line.state.as_deref(), line.script.as_deref()), (Some("kept"), Some("Latn")));
        assert_eq!((line.reason.as_deref(), result.lines[2].reason.as_deref()), (Some("newer"), None));
        assert_eq!(line.scores, Some(Scores { detection: 0.5, recognition: Some(0.25) }));
        assert_eq!(result.lines[1].scores, Some(Scores { detection: 0.5, recognition: None }));
        assert_eq!((&result.lines[2].scores, &result.lines[2].state, &result.lines[2].script), (&None, &None, &None));
    }

    #[test]
    fn a_frame_that_was_dropped_tells_for_which() {
        let text = r#"{"status":"dropped","reason":"superseded","by":2,"age_ms":-7,"sequence":1,"type":"result"}"#;
        let result = result(text);
        assert_eq!((result.status.as_str(), result.is_ok(), result.code.as_deref()), ("dropped", false, None));
        assert_eq!((result.reason.as_deref(), result.by, result.age_ms), (Some("superseded"), Some(2), Some(-7)));
        assert!(
            result.matches_complete
                && !result.reused
                && !result.truncated
                && result.lost.is_empty()
                && result.warnings.is_empty()
        );
    }

    #[test]
    fn a_status_that_is_not_known_passes() {
        let text = r#"{"status":"postponed","until":2,"sequence":1,"type":"result"}"#;
        let result = result(text);
        assert_eq!((result.status.as_str(), result.is_ok()), ("postponed", false));
        assert_eq!(result.line, text);
    }
}
