"""What the rules of the games imply: one throw, one turn, a whole game."""
