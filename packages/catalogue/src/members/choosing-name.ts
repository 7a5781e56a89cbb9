import { foldName } from '@tollgate/kit/fold-name'

/** Words before `model` that make it another model than the one that is priced. */
const WHICH = `fallback default backup base target custom llm alternate alternative secondary second override
  actual real upstream served serving preferred primary main advisor reviewer judge critic planner verifier
  router routing draft helper small large fast big cheap strong weak teacher student expert`
  .split(/\s+/)
  .join('|')

/**
 * Names that choose what serves a call, or where: `models`, `fallbackModel`, `deployment_id`, `api-base`. They
 * are compared as a whole after folding, so parts of other names do not count.
 */
const CHOOSING = new RegExp(
  `^(?:(?:${WHICH})?models?(?:ids?|names?|list|slug)?\\d*` +
    '|engine(?:ids?|name)?|deployments?(?:ids?|name)?|route|routes|preset|presetid' +
    '|(?:api|llm|custom|customllm|model)?providers?(?:ids?|names?)?' +
    '|(?:api|openai|llm|proxy)?base(?:url|uri)?|(?:api|llm|model)?endpoint(?:s|url|id)?' +
    '|(?:api|llm|openai|provider)key)$',
)

/**
 * Whether a member of this name chooses a model, an address or a key, although no row of the tables knows it.
 * Such a member never passes, whoever sends it.
 */
export function isChoosingName(name: string): boolean {
  return CHOOSING.test(foldName(name))
}
