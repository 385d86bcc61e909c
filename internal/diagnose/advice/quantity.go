package advice

import (
	"strconv"
	"strings"
)

// DoubleQuantity is twice a quantity such as 128Mi; "" for one that is written otherwise.
func DoubleQuantity(quantity string) string {
	digits := strings.TrimRight(quantity, "EPTGMKimk")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return ""
	}
	return strconv.Itoa(2*n) + quantity[len(digits):]
}
