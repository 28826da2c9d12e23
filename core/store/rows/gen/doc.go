// Package gen is what sqlc makes of rows/queries; only package rows uses it, so that no query forgets its user.
package gen
