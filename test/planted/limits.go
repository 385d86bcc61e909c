package planted

// limit is how many secrets may come out in one output.
type limit struct {
	ordinary int
	// disguised are those in forms that hide them.
	disguised int
}

// limits are 0 for the ordinary forms and at most 2 % of the 708 disguised ones. The run prints those that come out.
var limits = map[string]limit{
	"text": {0, 14},
	"json": {0, 14},
	"yaml": {0, 14},
	"save": {0, 14},

	"Slack message": {0, 4},
	"Slack thread":  {0, 4},
	"Slack answer":  {0, 4},
	"Slack dialog":  {0, 4},
	"Incident":      {0, 4},
	"journal file":  {0, 4},
	"ActionLog":     {0, 4},
	"Event":         {0, 4},
	"log":           {0, 4},
	"readyz":        {0, 4},
	"errors":        {0, 4},
}

// MostHiddenLines and MostHiddenRecorded are how many harmless texts may be hidden: of the lines that are made up, and in the reports of recorded failures.
const MostHiddenLines, MostHiddenRecorded = 0, 0
