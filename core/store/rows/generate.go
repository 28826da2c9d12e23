package rows

//go:generate go run github.com/sqlc-dev/sqlc/cmd/sqlc@v1.30.0 generate
