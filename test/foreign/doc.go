// Package foreign checks that what others wrote is decoded by internal/foreign alone, which refuses what would become too large.
package foreign
