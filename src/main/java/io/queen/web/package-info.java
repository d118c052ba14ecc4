/**
 * The edge: what happens to every request before and after its resource. The resources are with their features; they
 * parse a request, hand it over and map the outcome.
 *
 * <pre>
 *   ConnectionGate   refuses what is not HTTP
 *   Routes           CORS and OriginCheck, the answer while the server stops, errors that no resource has seen
 *   BodyReceiver     takes in the body (IncomingBody) within the limits of size, memory and time, then the request goes on
 *   BodyFilter       hands the body to the resource
 *   ApiRoutes        checks the names and values of the query
 *     resource       reads its body with JsonBody, its query with QueryParams, answers with JsonAnswer
 *   ErrorMapper      makes every failure the one error body, Problem
 * </pre>
 */
package io.queen.web;
