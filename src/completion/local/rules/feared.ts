/** Source of a pattern: what people fear for years; the fear of an exam or a boss passes. */
export const FEARED =
  'heights|spiders|snakes|flying|dogs|cats|mice|rats|bees|wasps|sharks|birds|clowns|needles|blood|deep water|the dark|the dentist|thunder|thunderstorms|crowds|lifts|elevators|enclosed spaces|small spaces|public speaking';
