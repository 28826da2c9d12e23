package main

import "github.com/solo-assistant/solo/core/intent"

// order is something to say to Solo.
type order struct {
	text string
	asks bool // the answer asks something, and Solo listens on for a while
	long bool // the answer takes more than the usual four seconds
}

// orders are what the turns are made of: each kind of command, none that rings while the others are
// measured, none that closes the microphone or has no answer to be heard.
var orders = []order{
	{text: "what time is it"},
	{text: "set a timer for forty minutes"},
	{text: "what day is it today"},
	{text: "what is twelve times nine"},
	{text: "who are you", long: true},
	{text: "set an alarm for seven thirty in the morning"},
	{text: "tell me the time"},
	{text: "convert five miles to kilometers"},
	{text: "turn the volume down"},
	{text: "how much time is left on the timer", long: true},
	{text: "what is today's date"},
	{text: "remind me to call anna tomorrow at nine in the morning", asks: true},
	{text: "what can you do", long: true},
	{text: "add milk to my shopping list", asks: true},
	{text: "thank you"},
	{text: "set a timer for two hours called laundry"},
	{text: "what is the time"},
	{text: "what are my reminders", long: true},
	{text: "good morning"},
	{text: "how many ounces are in three pounds"},
	{text: "louder"},
	{text: "remember that my bike is in the garage", asks: true},
	{text: "repeat that"},
	{text: "wake me up at six tomorrow morning"},
	{text: "what is my name"},
	{text: "what is on my to do list", long: true},
	{text: "what day is tomorrow"},
	{text: "set the volume to seventy percent"},
	{text: "are you still there"},
	{text: "cancel the laundry timer"},
}

// halves are orders that the speaker breaks off in the middle, as one does to think.
var halves = [][2]string{
	{"set a timer", "for ten minutes"},
	{"set a timer for", "twenty five minutes"},
	{"set a timer for one hour", "and thirty minutes"},
	{"start a timer for fifteen minutes", "called pasta"},
	{"set an alarm", "for seven thirty in the morning"},
	{"set an alarm for six", "tomorrow morning"},
	{"wake me up", "at half past six"},
	{"wake me up tomorrow", "at eight"},
	{"remind me to", "water the flowers tomorrow"},
	{"remind me to call my sister", "at five o'clock"},
	{"remind me tomorrow at nine", "to call the doctor"},
	{"remind me in two hours", "to check the oven"},
	{"remember that", "my keys are on the table"},
	{"remember that my bike", "is in the garage"},
	{"what is", "twelve times nine"},
	{"what is one hundred", "divided by eight"},
	{"what is forty two", "plus seventeen"},
	{"convert five miles", "to kilometers"},
	{"how many ounces", "are in three pounds"},
	{"how many minutes are in", "two hours"},
	{"add milk", "to my shopping list"},
	{"add call the bank", "to my to do list"},
	{"cancel the timer", "called laundry"},
	{"how much time is left", "on the timer"},
	{"set the volume to", "seventy percent"},
	{"what day", "is it today"},
	{"tell me", "the time"},
}

// closed says whether an order can not go on: Solo then waits only a moment for more.
func (o order) closed() bool {
	complete, extendable := intent.English().Complete(o.text)
	return complete && !extendable
}
