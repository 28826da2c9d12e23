package intent

import "strings"

// freeWords stand for any words in a recogniser's grammar: what people remind themselves of, buy and
// name. A span recognised with them is to be decoded again by a dictation decoder.
var freeWords = strings.Fields(`call mom dad mother father anna peter john mary doctor dentist school kids baby dog cat
	buy milk bread eggs butter coffee tea water cheese apples flowers groceries food dinner lunch breakfast pizza pasta chicken rice soup cake laundry
	pick take out the my a an of and with from to for about is are was has will up down back home house garden kitchen car bike train bus flight ticket
	pay bill bills rent bank money check card send email letter message report paper book read write print sign form passport
	clean wash cook bake feed walk plants trash garbage dishes room windows bathroom oven stove washing machine
	meeting work office boss team project birthday party present gift wedding doctor's appointment medicine pills vitamins gym run workout yoga
	turn off lights door key keys lock code number password phone battery charge charger computer
	at wife husband son daughter sister brother friend neighbor name favorite color red blue green white black
	get go make put bring give find look fix repair finish start stop ask tell talk visit meet leave return order
	new old big small good next first last one two three four five six seven eight nine ten`)
