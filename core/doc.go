// Package core holds Solo's parts and nothing itself; this is the map.
//
//	event      the facts of a turn                supervise  keeps services running
//	config     loads and checks settings          proc       child programs
//	when       phrases about time                 intent     common commands without a model
//	mind       words become calls and sentences   dialog     conducts one turn
//	agent      thinks with a language model       job        long work in the background
//	consent    what the user agreed to            document   documents to text
//	tool       the toolbox and its policy         schedule   keeps promised times
//	task       what the user means to do          memory     keeps and recalls
//	project    the tree of what the user aims at  routine    what is done at one word
//	brief      briefings, reviews, a heartbeat
//	store      rows behind the parts              words      words that mean the same
//	rank       finds texts by words and meaning   library    the documents, searchable
//	notify     the desktop and a webhook          channel    the doors: command line, loopback
package core
