package io.queen.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DatasourceConfigSourceTest {
    @Test
    void jdbcUrl_severalHosts_keepTheirPorts() {
        assertThat(DatasourceConfigSource.jdbcUrl("a, b:6000", "5432", "db"))
                .isEqualTo("jdbc:postgresql://a:5432,b:6000/db?targetServerType=primary");
    }

    @Test
    void jdbcUrl_ofAReactiveUrl_isTheSameAddress() {
        assertThat(DatasourceConfigSource.jdbcUrl(
                        "vertx-reactive:postgresql://me:secret@db:5433/queen?sslmode=require"))
                .isEqualTo("jdbc:postgresql://db:5433/queen?sslmode=require");
    }

    @Test
    void jdbcUrl_behindAPooler_namesNoStatements() {
        assertThat(DatasourceConfigSource.unnamed(true, "jdbc:postgresql://db/queen"))
                .isEqualTo("jdbc:postgresql://db/queen?prepareThreshold=0");
        assertThat(DatasourceConfigSource.unnamed(true, "jdbc:postgresql://db/queen?sslmode=require"))
                .isEqualTo("jdbc:postgresql://db/queen?sslmode=require&prepareThreshold=0");
        assertThat(DatasourceConfigSource.unnamed(false, "jdbc:postgresql://db/queen"))
                .isEqualTo("jdbc:postgresql://db/queen");
    }
}
