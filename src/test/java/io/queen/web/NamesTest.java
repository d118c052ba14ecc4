package io.queen.web;

import static io.queen.testing.Client.post;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Client;
import io.queen.testing.Partitions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of fields and parameters: those that nobody knows are told, those that clients send are known. */
@QuarkusTest
class NamesTest {
    private static final String ID = "01234567-89ab-7def-8123-456789abcdef";
    private final String queue = Partitions.name("names");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "/api/v1/push|{`items`:[{`queue`:`Q`,`payoad`:1},{`queue`:`Q`,`payoad`:2}]}|items[].payoad",
                "/api/v1/push|{`items`:[],`item`:1}|item",
                "/api/v1/configure|{`queue`:`Q`,`options`:{`leasetime`:5}}|options.leasetime",
                "/api/v1/configure|{`queue`:`Q`,`option`:null}|option",
                "/api/v1/ack|{`transactionId`:`t`,`partitionId`:`ID`,`group`:null}|group",
                "/api/v1/ack/batch|{`acknowledgments`:[{`transactionId`:`t`,`partitionId`:`ID`,`lease`:1}]}|acknowledgments[].lease",
                "/api/v1/transaction|{`operations`:[{`type`:`push`,`items`:[{`queue`:`Q`,`date`:1}]}]}|operations[].items[].date",
                "/api/v1/transaction|{`operations`:[{`type`:`push`,`queue`:`Q`,`que`:1}],`leases`:[]}|operations[].que, leases",
                "/api/v1/lease/ID/extend|{`second`:5}|second",
                "/api/v1/traces|{`transactionId`:`t`,`partitionId`:`ID`,`data`:1,`event`:null}|event",
                "/api/v1/consumer-groups/g/queues/Q/seek|{`toEnd`:true,`to`:null}|to",
                "/api/v1/consumer-groups/g/subscription|{`subscriptionTimestamp`:`2025-12-01`,`x`:1}|x",
                "/api/v1/system/maintenance/pop|{`enable`:true}|enable",
                "/internal/api/notify|{`queue`:`Q`,`x`:1}|x"
            })
    void field_nobodyKnows_isToldInTheAnswer(String path, String body, String names) {
        post(filled(path), filled(body)).header("Warning", equalTo("299 - \"unknown and ignored: " + names + "\""));
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/pop/queue/Q?consumergroup=x, consumergroup",
        "/api/v1/pop/queue/Q?partition=p, partition",
        "/api/v1/pop?queue=Q&Batch=1, Batch",
        "/api/v1/resources/queues?offsett=1&a%22%0d%0ab=1, 'offsett, a%22%0D%0Ab'",
        "/health?x=1, x",
        "/metrics?x, x"
    })
    void parameter_nobodyKnows_isToldInTheAnswer(String path, String names) {
        given().urlEncodingEnabled(false)
                .get(filled(path))
                .then()
                .header("Warning", equalTo("299 - \"unknown and ignored: " + names + "\""));
    }

    @ParameterizedTest
    @CsvSource({
        "consumergroup=x, __QUEUE_MODE__",
        "consumergroup=x&consumerGroup=y, y",
        "consumerGroup=y&CONSUMERGROUP=x, y"
    })
    void parameter_otherCase_hasNoEffect(String query, String group) {
        Client.push(Client.item(queue, "p", "t", "1")).statusCode(201);
        given().get("/api/v1/pop/queue/" + queue + "?" + query)
                .then()
                .statusCode(200)
                .body("consumerGroup", equalTo(group));
    }

    @Test
    void parameterAndField_nobodyKnows_areBothTold() {
        assertThat(given().contentType("application/json")
                        .body("{\"items\":[],\"b\":1}")
                        .post("/api/v1/push?a=1")
                        .then()
                        .statusCode(201)
                        .extract()
                        .headers()
                        .getValues("Warning"))
                .containsExactly("299 - \"unknown and ignored: a\"", "299 - \"unknown and ignored: b\"");
    }

    /** What published clients send, also what has no effect. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "/api/v1/configure|{`queue`:`Q`,`namespace`:null,`task`:null,`options`:{`leaseTime`:1,`retryLimit`:1,`retryDelay`:1,`retryBackoff`:`exponential`,`retryDelayMax`:1,`retryJitter`:1,`maxSize`:0,`ttl`:1,`deadLetterQueue`:true,`dlqAfterMaxRetries`:true,`priority`:1,`delayedProcessing`:0,`windowBuffer`:0,`retentionSeconds`:0,`completedRetentionSeconds`:0,`retentionEnabled`:false,`encryptionEnabled`:false,`maxWaitTimeSeconds`:0}}",
                "/api/v1/configure|{`queue`:`Q`,`options`:[]}",
                "/api/v1/push|{`items`:[{`queue`:`Q`,`partition`:`p`,`payload`:null,`transactionId`:`t`,`traceId`:``,`producerSub`:`me`,`namespace`:`n`,`task`:`t`,`bufferMs`:1,`bufferMax`:1}],`bufferMs`:1,`bufferMax`:1}",
                "/api/v1/ack|{`transactionId`:`t`,`partitionId`:`ID`,`status`:`completed`,`leaseId`:null,`consumerGroup`:null,`error`:null}",
                "/api/v1/ack/batch|{`acknowledgments`:[{`transactionId`:`t`,`partitionId`:`ID`,`status`:`failed`,`leaseId`:``,`consumerGroup`:`g`,`error`:`e`}],`consumerGroup`:null}",
                "/api/v1/transaction|{`operations`:[{`type`:`push`,`items`:[{`queue`:`Q`,`payload`:1,`partition`:`p`,`transactionId`:`u`,`traceId`:null}]},{`type`:`push`,`queue`:`Q`,`data`:1,`messageId`:`m`,`traceId`:null,`namespace`:`n`,`task`:`t`},{`type`:`ack`,`transactionId`:`t`,`partitionId`:`ID`,`status`:`dlq`,`consumerGroup`:`g`,`leaseId`:``,`error`:`e`}],`requiredLeases`:[]}",
                "/api/v1/lease/ID/extend|{}",
                "/api/v1/lease/ID/extend|[]",
                "/api/v1/lease/ID/extend|{`seconds`:60}",
                "/api/v1/traces|{`transactionId`:`t`,`partitionId`:`ID`,`data`:{`a`:1},`consumerGroup`:null,`eventType`:null,`traceNames`:null}",
                "/api/v1/consumer-groups/g/queues/Q/seek|{`toEnd`:null,`timestamp`:`1970-01-01T00:00:00Z`}",
                "/api/v1/consumer-groups/g/queues/Q/partitions/p/seek|{}",
                "/api/v1/consumer-groups/g/subscription|{`subscriptionTimestamp`:`2025-12-01`}",
                "/api/v1/system/maintenance|{`enabled`:false}",
                "/api/v1/system/maintenance/pop|{`enabled`:false}",
                "/internal/api/notify|{`queue`:`Q`,`partition`:`p`}",
                "/api/v1/stats/refresh|{}"
            })
    void field_ofAClient_isKnown(String path, String body) {
        post(filled(path), filled(body)).header("Warning", nullValue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/pop/queue/Q?batch=1&wait=false&timeout=1&consumerGroup=g&autoAck=true&subscriptionMode=all"
                        + "&subscriptionFrom=now&partitions=1&namespace=n&task=t",
                "/api/v1/pop/queue/Q/partition/p?batch=1&wait=false&timeout=1&consumerGroup=g&autoAck=true"
                        + "&subscriptionMode=from_beginning&subscriptionFrom=5m%20ago&partitions=1&namespace=n&task=t",
                "/api/v1/pop?batch=1&wait=false&timeout=1&consumerGroup=g&autoAck=true&partitions=1&namespace=n&task=t",
                "/api/v1/resources/queues?namespace=n&task=t&limit=1&offset=0",
                "/api/v1/resources/partitions?queue=Q",
                "/api/v1/messages?queue=Q&partition=p&ns=n&namespace=n&task=t&status=pending&from=1h%20ago&to=now"
                        + "&limit=1&offset=0&consumerGroup=g",
                "/api/v1/dlq?queue=Q&consumerGroup=g&limit=1&offset=0&partition=p&from=1h%20ago&to=now",
                "/api/v1/traces/by-name/n?limit=1&offset=0",
                "/api/v1/traces/names?limit=1&offset=0",
                "/api/v1/consumer-groups/lagging?minLagSeconds=60",
                "/api/v1/status?from=1h%20ago&to=now&queue=Q&namespace=n&task=t",
                "/api/v1/status/queues?namespace=n&task=t&limit=1&offset=0",
                "/api/v1/status/queues/Q?includePartitions=true",
                "/api/v1/status/queues/Q/messages?limit=1&offset=0",
                "/api/v1/status/analytics?interval=hour&from=1h%20ago&to=now&queue=Q&namespace=n&task=t",
                "/api/v1/analytics/system-metrics?from=1h%20ago&to=now&hostname=h&workerId=0",
                "/api/v1/analytics/worker-metrics?from=1h%20ago&to=now&hostname=h&workerId=0",
                "/api/v1/analytics/queue-lag?from=1h%20ago&to=now&queue=Q",
                "/api/v1/analytics/queue-ops?from=1h%20ago&to=now&queue=Q",
                "/api/v1/analytics/queue-parked-replicas?from=1h%20ago&to=now&queue=Q",
                "/api/v1/analytics/retention?from=1h%20ago&to=now&queue=Q"
            })
    void parameter_ofAClient_isKnown(String path) {
        given().urlEncodingEnabled(false).get(filled(path)).then().header("Warning", nullValue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/consumer-groups/g?deleteMetadata=false",
                "/api/v1/consumer-groups/g/queues/Q?deleteMetadata=true",
                "/api/v1/queues/Q/clear?partition=p"
            })
    void parameterOfADeletion_ofAClient_isKnown(String path) {
        given().delete(filled(path)).then().header("Warning", nullValue());
    }

    private String filled(String text) {
        return text.replace('`', '"').replaceAll("\\bQ\\b", queue).replace("ID", ID);
    }
}
