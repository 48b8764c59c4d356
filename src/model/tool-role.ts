/** Source of a pattern: what one uses one of, by its role ("as their editor"). */
export const TOOL_ROLE =
  'editor|code editor|text editor|ide|browser|database|shell|terminal|operating system|os|search engine|password manager|e-?mail client|note[- ]taking app|phone|laptop|car|framework|main language';
