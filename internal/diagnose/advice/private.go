package advice

import "github.com/argo-why/argo-why/internal/diagnose"

// PrivateChild says why nothing more is said of a child application.
const PrivateChild = "The name of that application and what is wrong with it are not shown here: not everyone who reads this has access to it."

// AskOwner is the step about such an application.
var AskOwner = diagnose.Fix{Text: "Ask someone who has access to that application"}
