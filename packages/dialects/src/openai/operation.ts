/** The operations of the OpenAI dialect that are read and counted here. */
export type OpenAiOperation =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'moderations'
  | 'compact'
  | 'rerank'
  /** A web search by itself. */
  | 'search'
