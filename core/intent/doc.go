// Package intent understands the common commands without a language model.
//
// English() reads the command files (commands/*.txt) once; Match says which command a text is.
// From the same files come what a recogniser needs: JSGF, and Sentences with Classes.
// Intent names are tool names and slots become arguments; docs/intents.md lists both. Time phrases
// stay words: core/when says what they mean.
//
// # The template language
//
// A command file holds headings and, indented under them, one template a line. "#" begins a comment.
//
//	timers.set:
//	  set a timer for {duration}
//	  set a timer [called] {name:label} for {duration}
//
//	word              this word, lower case; contractions in full ("what is", which also hears "what's")
//	[..]              may be left out
//	(a|b)             one of these
//	x+                x, once or more
//	<rule>            what the rule of that name says
//	{slot}            the same, kept under the slot's name; {slot:rule} where the names differ
//	{slot=value}      nothing is said, and the slot has this value
//	~x                x is written or rare: matched in text, left out of the grammar. At the head of a
//	                  line, "~ ", the whole template is left out of the grammar, not of Sentences
//	 .                at the end of a line: when this is said nothing more is waited for (see Complete)
//
// Definitions stand at the left edge and may go on with a line that begins with "|":
//
//	day = today | tomorrow | on <weekday>     a rule; rules do not need themselves
//	class weekday = monday|tuesday            a rule of single words, [weekday] in Sentences
//	free thing = 30 not a|the, end to|for     a free span: at most 30 words, not beginning or ending so;
//	                                          "only a|b" are the words that it may begin with
//	list unit:                                a rule whose slots hold the name before the colon
//	  meter: meter|meters|~metre
//
// The rules before and after are politeness and may stand around every command. Of all readings of a text
// the one wins that leaves the fewest words to free spans, then to politeness, then the one written first.
//
// # For a recogniser
//
// In JSGF, <free> is a loop of common words that stands for any words: FreeSpan says where it lies in what was
// recognised, so that the sound of those words can be decoded again by a dictation decoder. A line of Sentences holds plain words and class
// tokens in brackets, such as "set a timer for [tens] [digit] minutes"; each token stands for one
// word of Classes()[token]. [free] comes once for each word of a free span. All words are spelled as
// in the CMU dictionary, numbers as words.
package intent
