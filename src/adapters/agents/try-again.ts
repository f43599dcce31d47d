/** How a run goes on that has asked its question: to resume it would only ask it again. */
export const TRY_AGAIN = 'choose to try again (helix decide)';

/** The same after its agent was changed: the run has the settings it was started with. */
export const TAKE_AND_TRY_AGAIN = `take the change with helix resume --replan and ${TRY_AGAIN}`;
