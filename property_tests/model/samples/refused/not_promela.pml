/*
 * refused: can't tell: spin (failed|wrote no verifier)
 */
active proctype Worker( {
