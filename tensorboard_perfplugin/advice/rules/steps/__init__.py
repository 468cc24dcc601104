"""Rules on steps: how they were found, how long they take, and what that time goes to."""
