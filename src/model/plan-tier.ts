/** Names under which services sell their plans, so that "to Enterprise" is known for a plan without the word. */
export const PLAN_TIER =
  /^(?:free|hobby|starter|basic|essentials?|lite|personal|individual|student|family|standard|plus|pro|professional|premium|growth|scale|team|teams|business|advanced|ultimate|unlimited|enterprise|max|gold|silver|bronze|platinum)(?:[ +]?(?:plus|max|\+|\d+x?))?$/i;
