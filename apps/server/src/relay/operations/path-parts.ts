import { decodedUri } from '@tollgate/kit/decoded-uri'
/** https://ai.google.dev/api/generate-content */
const MODEL_ACTION = /^\/v1(?:beta)?\/models\/(.+):([A-Za-z]+)$/

/** The model and the action of a path of the Gemini API. */
export function modelAction(path: string): { readonly model: string; readonly action: string } | undefined {
  const [, name, action] = MODEL_ACTION.exec(path) ?? []
  return name === undefined || action === undefined ? undefined : { model: decodedUri(name), action }
}
