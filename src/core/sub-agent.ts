/** An agent that another one started within its run, as the agent's own hooks name it. */
export interface SubAgent {
  readonly id: string;
  /** Its kind, such as `Explore`. */
  readonly type: string;
}
