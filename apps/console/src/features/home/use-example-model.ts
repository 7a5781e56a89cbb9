import { useQuery } from '@tanstack/react-query'
import { ownModelsQuery } from '../../shared/api/own-queries.ts'
import { useSessionUser } from '../../shared/session/session.ts'

const MODEL_UNTIL_KNOWN = 'gpt-4o-mini'

/** A model that the reader may call; for a visitor, a well-known name. */
export function useExampleModel(): string {
  const user = useSessionUser()
  const { data: models = [] } = useQuery({ ...ownModelsQuery, enabled: user !== undefined })
  if (models.includes(MODEL_UNTIL_KNOWN)) return MODEL_UNTIL_KNOWN
  return models[0] ?? MODEL_UNTIL_KNOWN
}
