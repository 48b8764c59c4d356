/** Source of a pattern: what people train for and then have run. */
export const RACE = '(?:half[- ]?marathon|marathon|triathlon|iron ?man|ultra(?:marathon)?|10k|5k)';

/** Source of a pattern: what stands in a calendar, and is called off, moved or come true. */
export const OCCASION = `(?:trip|journey|move|flight|holiday|vacation|honeymoon|cruise|wedding|party|appointment|interview|exam|surgery|operation|check-?up|concert|conference|recital|${RACE})`;
